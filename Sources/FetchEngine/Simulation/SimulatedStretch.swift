package import FetchValues

/// A period of a simulation's time. Users write it as `2h`, as `6h+2h` for two hours from the sixth
/// hour on, or as `2026-11-20T10:00:00Z+2h`.
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

  /// Returns the range of the period within the given time. A period without a start begins in the
  /// middle of the given time.
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
