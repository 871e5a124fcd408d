package import FetchValues

/// A job whose source answers with an error: `news=429`, `news=429:1h` with a Retry-After,
/// `news=503@6h+2h` for a while.
package struct SimulatedFailure: Equatable, Sendable {
  package var job: String
  package var status: Int
  package var retryAfter: Duration?
  /// Nil: all the time.
  package var stretch: SimulatedStretch?

  /// Throws what is wrong, as a sentence without its end.
  package init(parsing text: String) throws(UnitTextError) {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw UnitTextError(
        description: "'\(text.prefix(80))' names no job and status; write for example news=429")
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
        description: "'\(answer.prefix(40))' is no HTTP status of an error; write 400 to 599")
    }
    self.status = status
  }

  /// Seconds, as a server says them, or a duration.
  private static func wait(_ text: Substring) throws(UnitTextError) -> Duration {
    if let seconds = UInt32(text) { return .seconds(seconds) }
    return try Duration(parsing: String(text))
  }

  func holds(at time: Timestamp, in whole: Range<Timestamp>) -> Bool {
    stretch?.range(in: whole).contains(time) ?? true
  }
}
