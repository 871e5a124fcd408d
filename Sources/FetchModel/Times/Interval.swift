import FetchValues

/// How often a job runs by itself.
package enum Interval: Hashable, Sendable {
  /// Only when it is triggered.
  case never
  /// The system decides, within the budget.
  case adaptive
  /// After each such time; at least `everyMin`.
  case every(Duration)
  /// Apart: it is large, and few jobs have one.
  indirect case cron(CronLine)
}

extension Interval {
  /// Without a comparison of whole cron lines.
  package var isAdaptive: Bool { if case .adaptive = self { true } else { false } }

  /// Nothing on the network has news more often; a shorter one is a slip of the pen.
  package static let everyMin: Duration = .seconds(1)

  /// Reads `never`, `adaptive`, a duration (`15m`), a cron line (`*/15 7-22 * * mon-fri`) or one of
  /// cron's names (`@hourly`).
  package init(parsing text: String) throws(ScheduleTextError) {
    switch text {
    case "never": self = .never
    case "adaptive": self = .adaptive
    case _ where text.hasPrefix("@"): self = .cron(try CronLine(parsing: text))
    default:
      if let interval = try Self.duration(text) {
        self = interval
      } else {
        self = .cron(try CronLine(parsing: text))
      }
    }
  }

  /// Nil where the text looks like a cron line.
  private static func duration(_ text: String) throws(ScheduleTextError) -> Interval? {
    let duration: Duration
    do throws(UnitTextError) { duration = try Duration(parsing: text) } catch {
      let words = text.split(separator: " ").count
      if words == 5 || text.contains("*") { return nil }
      let isNumber = text.utf8.first.map(ByteSet.digits.contains) ?? false
      throw isNumber && words == 1 ? ScheduleTextError(error.description) : unknown(text)
    }
    guard duration >= everyMin else {
      throw ScheduleTextError(
        "the interval \(ScheduleTextError.quoted(text)) is too short; write at least"
          + " \(everyMin.shortText), or never")
    }
    return .every(duration)
  }

  private static func unknown(_ text: String) -> ScheduleTextError {
    ScheduleTextError(
      "invalid interval \(ScheduleTextError.quoted(text))"
        + NearestName.hint(text, among: ["never", "adaptive"])
        + ": use never, adaptive, a duration such as 15m, or a cron line such as '0 7 * * mon-fri'"
    )
  }
}

extension Interval: CustomStringConvertible {
  /// The form that `init(parsing:)` reads.
  package var description: String {
    switch self {
    case .never: "never"
    case .adaptive: "adaptive"
    case .every(let duration): duration.shortText
    case .cron(let line): line.text
    }
  }
}
