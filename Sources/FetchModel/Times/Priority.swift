import FetchValues

/// The priority of a job, from 1 to 99. Jobs with a higher priority get a larger share of the runs
/// if not all due jobs can run at once.
package struct Priority: Hashable, Comparable, Sendable {
  package let value: Int

  package static let low = Priority(25)
  package static let normal = Priority(50)
  package static let high = Priority(75)

  private init(_ value: Int) { self.value = value }

  /// Parses a priority: a number, or `low`, `normal` or `high`.
  package init(parsing text: String) throws(ScheduleTextError) {
    switch text {
    case "low": self = .low
    case "normal": self = .normal
    case "high": self = .high
    default:
      // `Int` would also read `+5`.
      guard text.utf8.allSatisfy(ByteSet.digits.contains), let number = Int(text),
        (1...99).contains(number)
      else {
        throw ScheduleTextError(
          "\(ScheduleTextError.quoted(text)) is not a priority"
            + "\(NearestName.hint(text, among: ["low", "normal", "high"])); write low, normal, high"
            + " or a number from 1 to 99")
      }
      self.init(number)
    }
  }

  /// The factor by which a run's cost counts against the job in the queue of due jobs: 2 for
  /// priority 25, 1 for priority 50.
  package var turnWeight: Double { 50 / Double(value) }

  package static func < (left: Priority, right: Priority) -> Bool { left.value < right.value }
}
