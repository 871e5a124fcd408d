package import FetchValues

/// A job whose source answers with an error. The user writes `news=429`, `news=429:1h` with a
/// Retry-After, or `news=503@6h+2h` for a period.
package struct SimulatedFailure: Equatable, Sendable {
  package var job: JobName
  package var status: Int
  package var retryAfter: Duration?
  /// The period in which the source fails; nil for the whole time of the simulation.
  package var stretch: SimulatedStretch?

  /// Creates a failure from the user's text. Throws an error whose message is a sentence without
  /// its full stop.
  package init(parsing text: String) throws(UnitTextError) {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw UnitTextError(
        description: "'\(text.prefix(80))' is not a job with a status; write for example news=429")
    }
    job = JobName(String(text[..<equals]))
    var answer = text[text.index(after: equals)...]
    if let at = answer.firstIndex(of: "@") {
      stretch = try SimulatedStretch(parsing: String(answer[answer.index(after: at)...]))
      answer = answer[..<at]
    }
    if let colon = answer.firstIndex(of: ":") {
      retryAfter = try Self.wait(answer[answer.index(after: colon)...])
      answer = answer[..<colon]
    }
    guard let status = Int(answer), (400...599).contains(status) else {
      throw UnitTextError(
        description: "'\(answer.prefix(40))' is not an HTTP error status; write 400 to 599")
    }
    self.status = status
  }

  /// Reads the delay of a Retry-After: a number of seconds, as a server sends it, or a duration.
  private static func wait(_ text: Substring) throws(UnitTextError) -> Duration {
    if let seconds = UInt32(text) { return .seconds(seconds) }
    return try Duration(parsing: String(text))
  }

  func holds(at time: Timestamp, in whole: Range<Timestamp>) -> Bool {
    stretch?.range(in: whole).contains(time) ?? true
  }
}
