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

extension TransferRecord {
  /// The line of `--json`: one object, compact, keys in this order. Other programs read it: keys
  /// may be added, never renamed, moved or left out.
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
  /// What the plugin's `on_transfer` is given. Absent fields are nil in Lua.
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

  /// As it was asked for, else as the server said.
  var modifiedAt: Timestamp? {
    request.modified ?? download.validators.lastModified.flatMap(HTTPDate.parse)
  }
}
