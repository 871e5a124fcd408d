package import FetchModel
package import FetchStore

/// The report of a run: its record, its news and its log lines.
package struct RunReport: Sendable {
  package var record: RunRecord
  /// The news of the run, oldest first, with the stored sequence numbers; see
  /// `RunServices.Settings.news`.
  package var lines: [StoredItem] = []
  /// The number of news; `lines` may hold only the last of them.
  package var newsCount = 0
  package var logs: [LogLine] = []
  /// The number of transfers that the run has queued.
  package var transferCount = 0
  /// Whether the plugin's notification of the run's ended transfer is final.
  package var isTransferTold = false
  /// The hostnames that received requests.
  package var hostsReached: [String] = []
  /// Removes the secrets that the run has used.
  package var redactor = Redactor()

  /// The reason why the run's end is not stored; nil if it is.
  package var storeError: StoreError?

  package init(record: RunRecord) { self.record = record }
}
