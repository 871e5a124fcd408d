/// The scheduler's memory of one job, opaque to the store except for its `facts`.
package struct StoredSchedule: Equatable, Sendable {
  /// The part that each run changes.
  package var content: [UInt8]
  /// The knowledge of the job's source. Nil when read: none yet; nil when written: unchanged.
  package var learned: [UInt8]?

  package init(_ content: [UInt8], learned: [UInt8]? = nil) {
    self.content = content
    self.learned = learned
  }
}
