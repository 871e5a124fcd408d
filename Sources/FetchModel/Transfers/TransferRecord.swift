package import FetchValues

/// A transfer and how it stands, as it is stored.
package struct TransferRecord: Equatable, Sendable {
  /// Unique in a store, and never given twice.
  package let id: Int64
  package let job: String
  package let request: TransferRequest
  package var state = TransferState.queued
  /// What lies on the disk and how far it goes. Of a transfer that has ended, what it came to.
  package var download = PartialDownload()
  /// The boot of the system in which `download` was written down: after another one, what lies on
  /// the disk is trusted only as far as that.
  package var boot: String?
  /// Begun so far.
  package var attemptCount = 0
  /// Attempts in a row that brought nothing to go on from, and since when.
  package var failureCount = 0
  package var failingSince: Timestamp?
  /// How often what was received had to be thrown away since the file was another one.
  package var changeCount = 0
  package var nextAttemptAt: Timestamp?
  /// Of the last attempt; nil when it went well.
  package var failure: Failure?
  /// What the finished file was found to have, where that was asked for.
  package var sha256: [UInt8]?
  /// Whether the plugin has been told of the end.
  package var isTold = false
  package let createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(id: Int64, job: String, request: TransferRequest, createdAt: Timestamp) {
    self.id = id
    self.job = job
    self.request = request
    self.createdAt = createdAt
    updatedAt = createdAt
    download.totalBytes = request.size
  }
}
