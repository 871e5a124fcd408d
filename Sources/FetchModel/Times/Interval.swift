import FetchValues

/// The interval between a job's scheduled runs.
package enum Interval: Hashable, Sendable {
  /// The job has no scheduled runs. Other triggers can start it, such as a person or a push.
  case never
  /// The due times follow the learned schedule.
  case adaptive
  /// The job is scheduled at a fixed interval, which is at least `everyMin`.
  case every(Duration)
  /// The job is scheduled at the times of a cron line. The case is indirect because a cron line is
  /// large and few jobs have one.
  indirect case cron(CronLine)
}

extension Interval {
  /// Whether the interval is adaptive.
  package var isAdaptive: Bool { if case .adaptive = self { true } else { false } }

  /// The minimum interval. A shorter interval is probably a typing error.
  package static let everyMin: Duration = .seconds(1)

  /// Parses `never`, `adaptive`, a duration (`15m`), a cron line (`*/15 7-22 * * mon-fri`) or a
  /// name of a cron line (`@hourly`).
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

  /// Parses a duration; nil for a text that looks like a cron line. Throws an error for any other
  /// text, and for a duration below `everyMin`.
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
  /// The interval as text that `init(parsing:)` accepts.
  package var description: String {
    switch self {
    case .never: "never"
    case .adaptive: "adaptive"
    case .every(let duration): duration.shortText
    case .cron(let line): line.text
    }
  }
}
