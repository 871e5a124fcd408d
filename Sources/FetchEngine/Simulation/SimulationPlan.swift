package import FetchValues

/// The period, the failures and the offline time of a simulation of a config.
package struct SimulationPlan: Equatable, Sendable {
  package var time: Range<Timestamp>
  package var failures: [SimulatedFailure] = []
  /// The period without a network; nil if there is none.
  package var offline: SimulatedStretch?

  package init(from start: Timestamp, days: Int) {
    time = start..<start + .seconds(86_400 * Int64(days))
  }
}

/// A simulated failure: the source of a job answers with an HTTP error status. The user writes
/// `news=429`. In addition, `news=429:1h` sets a Retry-After, and `news=503@6h+2h` sets a period.
package struct SimulatedFailure: Equatable, Sendable {
  package var job: JobName
  package var status: Int
  package var retryAfter: Duration?
  /// The period in which the source fails; nil for the whole period of the simulation.
  package var stretch: SimulatedStretch?

  /// Creates a failure from the user's text. Throws if the text is invalid.
  package init(parsing text: String) throws(UnitTextError) {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw UnitTextError(
        description:
          "'\(text.prefix(80))' is not a job with a status; use a job and a status such as news=429"
      )
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
        description:
          "'\(answer.prefix(40))' is not an HTTP error status; use a number from 400 to 599")
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

/// A period within a simulation. Users write it as `2h`, as `6h+2h` for two hours that begin after
/// six hours, or as `2026-11-20T10:00:00Z+2h`.
package struct SimulatedStretch: Equatable, Sendable {
  private enum Start: Equatable {
    case unsaid
    case after(Duration)
    case at(Timestamp)
  }

  private var start = Start.unsaid
  private var length: Duration

  package init(parsing text: String) throws(UnitTextError) {
    guard let plus = text.lastIndex(of: "+") else {
      length = try Duration(parsing: text)
      return
    }
    length = try Duration(parsing: String(text[text.index(after: plus)...]))
    let from = String(text[..<plus])
    if let time = Timestamp(rfc3339: from) {
      start = .at(time)
    } else {
      start = .after(try Duration(parsing: from))
    }
  }

  /// Returns the period as a range of times. `whole` is the simulated time. A period without a
  /// start begins in the middle of `whole`.
  package func range(in whole: Range<Timestamp>) -> Range<Timestamp> {
    let from: Timestamp
    switch start {
    case .unsaid: from = whole.lowerBound + (whole.upperBound - whole.lowerBound) / 2
    case .after(let delay): from = whole.lowerBound + delay
    case .at(let time): from = time
    }
    return from..<max(from, from + length)
  }
}
