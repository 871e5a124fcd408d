package import FetchModel
package import FetchStore

/// The report of a run: the run's record, news and log lines.
package struct RunReport: Sendable {
  package var record: RunRecord
  /// The news of the run, oldest first, with the stored sequence numbers; see
  /// `RunServices.Settings.news`.
  package var lines: [StoredItem] = []
  /// The number of news items. `lines` may hold only the last of these items.
  package var newsCount = 0
  package var logs: [LogLine] = []
  /// The number of transfers that the run queued.
  package var transferCount = 0
  /// Whether the run has notified the plugin of an ended transfer, so that the notification is not
  /// repeated.
  package var isTransferTold = false
  /// The hostnames to which the run sent requests.
  package var hostsReached: [String] = []
  /// The hub that the feed of the job names; nil if the run read no feed in a full answer.
  package var hub: HubDiscovery?
  /// The redactor, which removes the secrets that the run has used.
  package var redactor = Redactor()

  /// The reason why the run's end was not stored; nil if the end was stored.
  package var storeError: StoreError?

  package init(record: RunRecord) { self.record = record }
}
