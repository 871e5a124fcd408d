/// A selection of items with its order.
package struct ItemQuery: Equatable, Sendable {
  /// The job whose items are selected; nil for all jobs.
  package var job: String?
  /// Selects changes after that sequence, including removals, oldest first, so that a reader can
  /// continue from its last one. Nil selects the present items, newest first.
  package var since: Int64?
  /// The maximum number of items; nil for no limit.
  package var limit: Int?

  package init(job: String? = nil, since: Int64? = nil, limit: Int? = nil) {
    self.job = job
    self.since = since
    self.limit = limit
  }
}
