import FetchValues

/// The order of jobs if not all can run: 1 to 99; higher runs sooner.
package struct Priority: Hashable, Comparable, Sendable {
  package let value: Int

  package static let low = Priority(25)
  package static let normal = Priority(50)
  package static let high = Priority(75)

  private init(_ value: Int) { self.value = value }

  /// Parses a number, or `low`, `normal` or `high`.
  package init(parsing text: String) throws(ScheduleTextError) {
    switch text {
    case "low": self = .low
    case "normal": self = .normal
    case "high": self = .high
    default:
      guard let number = Int(text), (1...99).contains(number) else {
        throw ScheduleTextError(
          "\(ScheduleTextError.quoted(text)) is not a priority"
            + "\(NearestName.hint(text, among: ["low", "normal", "high"])); write low, normal, high"
            + " or a number from 1 to 99")
      }
      self.init(number)
    }
  }

  /// The weight of a run in turns: twice for 25, half for 100.
  package var turnWeight: Double { 50 / Double(value) }

  package static func < (left: Priority, right: Priority) -> Bool { left.value < right.value }
}
