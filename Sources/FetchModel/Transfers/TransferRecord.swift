package import FetchValues

/// A transfer with its state, in the form in which it is stored.
package struct TransferRecord: Equatable, Sendable {
  /// The id of the transfer, which is unique in a store and never reused.
  package let id: Int64
  package let job: JobName
  package let request: TransferRequest
  package var state = TransferState.queued
  /// The state of the file on the disk. For a finished transfer, this is the state of the finished
  /// file. For a failed transfer, whose partial file is removed, this is the last stored state.
  package var download = PartialDownload()
  /// The id of the system boot during which `download` was stored. After another boot, only the
  /// first `download.receivedBytes` bytes of the file are trusted.
  package var boot: String?
  /// The number of attempts that were started.
  package var attemptCount = 0
  /// The number of consecutive failed attempts that added less than `TransferRetry.gainBytesMin`.
  /// Attempts without a network do not count. `failingSince` is the time of the first counted
  /// failure.
  package var failureCount = 0
  package var failingSince: Timestamp?
  /// The number of failed attempts that discarded received bytes because the file had changed or
  /// might have changed. The event `retry` sets it to 0.
  package var changeCount = 0
  package var nextAttemptAt: Timestamp?
  /// The last failure, refusal or cancellation of the transfer; nil if there was none. Success and
  /// the retry of a failed transfer set it to nil.
  package var failure: Failure?
  /// The SHA-256 of the finished file; nil if the file is not finished or no SHA-256 was expected.
  package var sha256: [UInt8]?
  /// Whether the plugin was notified that the transfer ended, or does not need to be notified.
  package var isTold = false
  package let createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(id: Int64, job: JobName, request: TransferRequest, createdAt: Timestamp) {
    self.id = id
    self.job = job
    self.request = request
    self.createdAt = createdAt
    updatedAt = createdAt
    download.totalBytes = request.size
  }
}

extension TransferRecord {
  /// The transfer as a line of `--json`: one compact object. Other programs read the line, so keys
  /// may be added but never renamed, moved or removed.
  package var json: String {
    var line = JSONLine()
    line.member("id", id)
    line.member("job", job)
    line.member("url", request.url)
    line.member("to", request.to.text)
    line.member("state", state.rawValue)
    line.member("receivedBytes", download.receivedBytes)
    line.member("totalBytes", literal: download.totalBytes.map { "\($0)" } ?? "null")
    line.member("attempts", attemptCount)
    line.member("nextAttemptAt", nextAttemptAt?.description)
    line.member("failure", literal: failure?.json ?? "null")
    line.member("createdAt", createdAt.description)
    line.member("updatedAt", updatedAt.description)
    return line.closed()
  }
}

extension TransferRecord {
  /// The value that the plugin's `on_transfer` receives. Absent fields are nil in Lua.
  package var pluginValue: Value {
    var object = ValueObject([
      ("id", .integer(id)), ("url", .string(request.url)), ("to", .string(request.to.text)),
      ("state", .string(state.rawValue)),
    ])
    if state == .done { object.append("size", .integer(download.receivedBytes)) }
    if let sha256 { object.append("sha256", .string(Hexadecimal.text(of: sha256))) }
    if let etag = download.validators.etag { object.append("etag", .string(etag)) }
    if let modified = modifiedAt { object.append("modified", .string(modified.description)) }
    if let failure {
      object.append(
        "failure", ["code": .string(failure.code.rawValue), "message": .string(failure.message)])
    }
    return .object(object)
  }

  /// The modification time that the plugin requested, otherwise the modification time that the
  /// server sent.
  var modifiedAt: Timestamp? {
    request.modified ?? download.validators.lastModified.flatMap(HTTPDate.parse)
  }
}

/// The state of a transfer. The raw values are stable because other programs read them.
package enum TransferState: String, Sendable, CaseIterable {
  /// The transfer waits until the service starts it, for example until a place is free.
  case queued
  /// An attempt is running.
  case running
  /// An attempt failed, or the budget is used up. The next attempt starts at `nextAttemptAt` or
  /// later.
  case waiting
  /// The file is complete and has its final name.
  case done
  /// The transfer was given up, refused or cancelled. It starts again only if a person retries it.
  case failed

  /// Whether the transfer is unfinished. A job has at most one unfinished transfer for each path.
  package var isPending: Bool { self != .done && self != .failed }
  /// Whether a person can make the transfer due now: see `TransferEvent.retry`.
  package var canBeRetried: Bool { self == .waiting || self == .failed }
}

/// The state of a download. A part of the file may be on the disk.
package struct PartialDownload: Equatable, Sendable {
  /// The number of bytes received from the start of the file.
  package var receivedBytes: Int64 = 0
  /// The total size of the file in bytes; nil if neither the plugin nor an answer gave the size.
  package var totalBytes: Int64?
  package var validators = RangeValidators()

  package init() {}

  /// The byte offset from which the next request continues; 0 to request the whole file.
  package var offset: Int64 { validators.ifRange == nil ? 0 : receivedBytes }

  /// Whether all bytes were received, so that no request is needed. The value is false for an empty
  /// file, so an empty file costs one request.
  package var isComplete: Bool { receivedBytes > 0 && totalBytes == receivedBytes }
}
