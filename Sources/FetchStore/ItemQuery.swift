/// Which items to read, and in which order.
package struct ItemQuery: Equatable, Sendable {
  /// Only this job's.
  package var job: String?
  /// Changes after that sequence, removals too, oldest first, so that a reader can go on from the
  /// last one it has. Nil: what is present now, newest first.
  package var since: Int64?
  /// Nil: all.
  package var limit: Int?

  package init(job: String? = nil, since: Int64? = nil, limit: Int? = nil) {
    self.job = job
    self.since = since
    self.limit = limit
  }
}
