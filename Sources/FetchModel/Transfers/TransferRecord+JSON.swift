import FetchValues

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
