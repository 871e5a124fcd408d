import FetchSchedule
package import FetchValues

/// One reason of a job's due time, as JSON shows it: the time in whole seconds and a word.
package struct DueReasonLine: Hashable, Sendable {
  package var at: Timestamp
  /// A word of `DueReason`, or of a later version.
  package var reason: String

  /// The reasons of a job's due time in order; empty where it is disabled or has no due time.
  static func all(_ number: JobNumber, in scheduler: Scheduler) -> [DueReasonLine] {
    guard scheduler[number].isEnabled else { return [] }
    return scheduler.schedule(of: number).dueTime?.reasons.map { link in
      // Rounded up, as `nextDueAt` is.
      let at = Timestamp(seconds: -(-link.at.milliseconds).floorDivided(by: 1000))
      return DueReasonLine(at: at, reason: link.reason.word)
    } ?? []
  }

  /// Returns nil if `value` is not a list; skips entries that cannot be read.
  static func read(_ value: Value?) -> [DueReasonLine]? {
    guard case .array(let entries)? = value else { return nil }
    return entries.compactMap { entry in
      guard let at = entry["at"]?.timeValue, let reason = entry["reason"]?.stringValue else {
        return nil
      }
      return DueReasonLine(at: at, reason: reason)
    }
  }

  var value: Value {
    ["at": .string(at.descriptionInSeconds), "reason": .string(reason)]
  }
}
