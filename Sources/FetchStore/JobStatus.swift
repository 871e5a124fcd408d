package import FetchValues

/// The store's data of a job, for display.
package struct JobStatus: Equatable, Sendable {
  package var name: String
  package var plugin: String
  /// The number of present items.
  package var itemCount: Int
  package var lastRunAt: Timestamp?
  /// The last run with an outcome other than failed.
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?

  package init(
    name: String, plugin: String, itemCount: Int, lastRunAt: Timestamp?,
    lastSuccessAt: Timestamp?, lastNewDataAt: Timestamp?
  ) {
    self.name = name
    self.plugin = plugin
    self.itemCount = itemCount
    self.lastRunAt = lastRunAt
    self.lastSuccessAt = lastSuccessAt
    self.lastNewDataAt = lastNewDataAt
  }
}
