package import FetchValues

/// A job whose source answers with an error: `news=429`, `news=429:1h` with a Retry-After,
/// `news=503@6h+2h` for a stretch of time.
package struct SimulatedFailure: Equatable, Sendable {
  package var job: String
  package var status: Int
  package var retryAfter: Duration?
  /// The stretch of time; nil: all the time.
  package var stretch: SimulatedStretch?

  /// Reads the text. Throws the mistake as a sentence without its full stop.
  package init(parsing text: String) throws(UnitTextError) {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw UnitTextError(
        description: "'\(text.prefix(80))' is not a job with a status; write for example news=429")
    }
    job = String(text[..<equals])
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

  /// Reads seconds, as a server sends them, or a duration.
  private static func wait(_ text: Substring) throws(UnitTextError) -> Duration {
    if let seconds = UInt32(text) { return .seconds(seconds) }
    return try Duration(parsing: String(text))
  }

  func holds(at time: Timestamp, in whole: Range<Timestamp>) -> Bool {
    stretch?.range(in: whole).contains(time) ?? true
  }
}
