import FetchModel
package import FetchValues

/// The part of a schedule that a store may read, for people and for queries of a database.
///
/// It is read from the head of the schedule's content. The store has no columns for it: readers
/// need all schedules anyway, and three more columns would cost each commit of a run. A store that
/// needs columns can fill them from here.
package struct ScheduleFacts: Equatable, Sendable {
  /// The due time; nil if only a trigger runs the job.
  package var dueAt: Timestamp?
  /// The time of the pause; nil if the job is not paused.
  package var pausedAt: Timestamp?
  /// The number of failures in a row.
  package var failureCount: Int

  package init(dueAt: Timestamp?, pausedAt: Timestamp?, failureCount: Int) {
    self.dueAt = dueAt
    self.pausedAt = pausedAt
    self.failureCount = failureCount
  }
}

extension StoredSchedule {
  /// The facts; nil if the content is not a schedule.
  package var facts: ScheduleFacts? {
    content.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      return try? Self.facts(&reader)
    }
  }

  /// Reads the due time, its reason and failures, four times of runs, the failures in a row and the
  /// pause: see `JobSchedule.encode`.
  private static func facts(_ reader: inout ValueReader) throws(ValueError) -> ScheduleFacts {
    guard try reader.readArrayHead() >= 9 else { throw .truncated }
    let dueAt = try reader.readOptionalInteger()
    for _ in 0..<6 { try reader.skipValue() }
    let failureCount = Int(clamping: try reader.readInteger())
    let pausedAt = try reader.readOptionalInteger()
    return ScheduleFacts(
      dueAt: dueAt.map(time), pausedAt: pausedAt.map(time), failureCount: max(0, failureCount))
  }

  /// Returns the time, limited to a hundred thousand years so that sums with durations cannot
  /// overflow.
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: max(-timeMax, min(milliseconds, timeMax)))
  }

  private static let timeMax: Int64 = 3_000_000_000_000_000
}
