import FetchValues

/// Who goes first where not all can: 1 to 99, the higher the sooner.
package struct Priority: Hashable, Comparable, Sendable {
  package let value: Int

  package static let low = Priority(25)
  package static let normal = Priority(50)
  package static let high = Priority(75)

  private init(_ value: Int) { self.value = value }

  /// A number, or `low`, `normal` or `high`.
  package init(parsing text: String) throws(ScheduleTextError) {
    switch text {
    case "low": self = .low
    case "normal": self = .normal
    case "high": self = .high
    default:
      guard let number = Int(text), (1...99).contains(number) else {
        throw ScheduleTextError(
          "\(ScheduleTextError.quoted(text)) is no priority"
            + "\(NearestName.hint(text, among: ["low", "normal", "high"])); write low, normal, high"
            + " or a number from 1 to 99")
      }
      self.init(number)
    }
  }

  /// How much of a turn a run takes: twice for 25, half for 100.
  package var turnWeight: Double { 50 / Double(value) }

  package static func < (left: Priority, right: Priority) -> Bool { left.value < right.value }
}
