/// The scheduler's memory of one job, opaque to the store but for its `facts`.
package struct StoredSchedule: Equatable, Sendable {
  /// What each run changes.
  package var content: [UInt8]
  /// What was learned of the job's source. Nil: nothing yet, and when it is written: as it was.
  package var learned: [UInt8]?

  package init(_ content: [UInt8], learned: [UInt8]? = nil) {
    self.content = content
    self.learned = learned
  }
}
