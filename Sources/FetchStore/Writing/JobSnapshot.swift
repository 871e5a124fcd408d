package import FetchModel

/// What a run needs to know about its job before it begins.
package struct JobSnapshot: Sendable {
  package var name: String
  /// Nil until the job's first commit.
  package var id: Int64?
  /// What the plugin kept; nil when it keeps nothing.
  package var state: Value?
  package var validators: [ExactText: Validators] = [:]
  /// What its state, its items and their versions take in the store: see `ItemChange.storedBytes`.
  package var storedBytes = 0
  /// What the plugin was granted; nil when it has never run.
  package var grant: PinnedGrant?
  /// No run of the job has ended with a result (newData or noData) yet.
  package var isFirstRun = true
}
