import FetchModel
package import FetchValues

/// The part of a schedule that a store may know: the answers to a person, or to a query of a database.
///
/// It is read from the schedule's content, which has it at its head, and not kept beside it: who asks
/// reads all schedules anyway, a run's commit would write three more columns for it, and a store that
/// wants columns of its own can fill them from here.
package struct ScheduleFacts: Equatable, Sendable {
  /// Nil: only a trigger makes the job run.
  package var dueAt: Timestamp?
  /// Nil: not paused.
  package var pausedAt: Timestamp?
  /// Failures in a row.
  package var failureCount: Int

  package init(dueAt: Timestamp?, pausedAt: Timestamp?, failureCount: Int) {
    self.dueAt = dueAt
    self.pausedAt = pausedAt
    self.failureCount = failureCount
  }
}

extension StoredSchedule {
  /// Nil for what is no schedule.
  package var facts: ScheduleFacts? {
    content.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      return try? Self.facts(&reader)
    }
  }

  /// Due time, reason and its failures, four times of runs, failures in a row, pause: see
  /// `JobSchedule.encode`.
  private static func facts(_ reader: inout ValueReader) throws(ValueError) -> ScheduleFacts {
    guard try reader.readArrayHead() >= 9 else { throw .truncated }
    let dueAt = try reader.readOptionalInteger()
    for _ in 0..<6 { try reader.skipValue() }
    let failureCount = Int(clamping: try reader.readInteger())
    let pausedAt = try reader.readOptionalInteger()
    return ScheduleFacts(
      dueAt: dueAt.map(time), pausedAt: pausedAt.map(time), failureCount: max(0, failureCount))
  }

  /// Within a hundred thousand years, so that no sum with a duration overflows.
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: max(-timeMax, min(milliseconds, timeMax)))
  }

  private static let timeMax: Int64 = 3_000_000_000_000_000
}
