package import FetchModel
package import FetchValues

/// The data of a job that a run needs before it begins.
package struct JobSnapshot: Sendable {
  package var name: String
  /// The store's own key of the job, for no other use; nil until the first commit.
  package var id: Int64?
  /// The plugin's state; nil if it has none.
  package var state: Value?
  package var validators: [ExactText: Validators] = [:]
  /// The stored size of its state, its items and their versions: see `ItemChange.storedBytes`.
  package var storedBytes = 0
  /// The plugin's grant; nil if it has never run.
  package var grant: PinnedGrant?
  /// The start of the first run with a result (newData or noData); nil if there is none yet.
  package var firstResultAt: Timestamp?

  package var isFirstRun: Bool { firstResultAt == nil }

  /// Creates the snapshot of a job that is not in the store.
  package init(name: String) { self.name = name }
}
