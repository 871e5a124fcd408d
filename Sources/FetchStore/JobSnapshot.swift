package import FetchModel
package import FetchValues

/// What a run needs to know about its job before it begins.
package struct JobSnapshot: Sendable {
  package var name: String
  /// The store's own key of the job, which nobody else reads; nil until the first commit.
  package var id: Int64?
  /// What the plugin kept; nil when it keeps nothing.
  package var state: Value?
  package var validators: [ExactText: Validators] = [:]
  /// What its state, its items and their versions take in the store: see `ItemChange.storedBytes`.
  package var storedBytes = 0
  /// What the plugin was granted; nil when it has never run.
  package var grant: PinnedGrant?
  /// When the first run began that ended with a result (newData or noData); nil where none has yet.
  package var firstResultAt: Timestamp?

  package var isFirstRun: Bool { firstResultAt == nil }

  /// Of a job that the store does not know.
  package init(name: String) { self.name = name }
}
