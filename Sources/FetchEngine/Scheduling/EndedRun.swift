/// A run that has ended and of which nobody has been told.
struct EndedRun: Sendable {
  /// See `RunStart.number`.
  var number: Int64
  var report: RunReport
}
