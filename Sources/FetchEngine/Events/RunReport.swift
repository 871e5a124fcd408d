package import FetchModel
package import FetchStore

/// All that is to be told of a run: its record, its news, what the plugin said.
package struct RunReport: Sendable {
  package var record: RunRecord
  /// The news of the run, oldest first, with the sequence numbers they were stored under; see
  /// `RunServices.Settings.news`.
  package var lines: [StoredItem] = []
  /// How many there were, where `lines` may have the last of them.
  package var newsCount = 0
  package var logs: [LogLine] = []
  /// Transfers that the run has queued.
  package var transferCount = 0
  /// Whether the ended transfer that the run was about is told of for good.
  package var isTransferTold = false
  /// Hostnames that were really asked.
  package var hostsReached: [String] = []
  /// Takes out the secrets that the run has used.
  package var redactor = Redactor()

  /// Why nothing of the run's end is in the store; nil where it is.
  package var storeError: StoreError?

  package init(record: RunRecord) { self.record = record }
}
