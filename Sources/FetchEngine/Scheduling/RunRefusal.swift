/// Why a job that somebody asked to run does not.
struct RunRefusal: Error, Sendable {
  /// Without its end.
  var sentence: String
}
