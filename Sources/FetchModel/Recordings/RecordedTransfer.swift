package import FetchValues

/// The completed or failed download that a recorded run passes to `on_transfer`.
package struct RecordedTransfer: Equatable, Sendable {
  package var url: String
  package var to: FilePath
  package var size: Int64?
  package var sha256: [UInt8]?
  package var etag: String?
  package var modified: Timestamp?
  /// The failure of the download; nil if the download succeeded.
  package var failure: Failure?

  package init(url: String, to: FilePath) {
    self.url = url
    self.to = to
  }

  package init(_ record: TransferRecord) {
    self.init(url: record.request.url, to: record.request.to)
    size = record.state == .done ? record.download.receivedBytes : nil
    sha256 = record.sha256
    etag = record.download.validators.etag
    modified = record.modifiedAt
    failure = record.failure
  }

  /// Returns a record of the ended transfer.
  package func record(id: Int64, job: JobName, at time: Timestamp) -> TransferRecord {
    var request = TransferRequest(url: url, to: to)
    request.modified = modified
    var record = TransferRecord(id: id, job: job, request: request, createdAt: time)
    record.state = failure == nil ? .done : .failed
    record.download.receivedBytes = size ?? 0
    record.download.validators.etag = etag
    record.sha256 = sha256
    record.failure = failure
    return record
  }
}
