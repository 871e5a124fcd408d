import FetchValues

extension RunRecord {
  /// The run as a line of `--json`: one compact object with its keys in this order. Other programs
  /// read the line, so keys may be added but never renamed, moved or removed.
  package var json: String {
    var line = JSONLine()
    line.member("run", run.description)
    line.member("job", job)
    line.member("plugin", plugin)
    line.member("trigger", trigger.rawValue)
    line.member("outcome", outcome.word)
    line.member("reason", outcome.reason?.rawValue)
    let counts = counts
    line.member("added", counts.added)
    line.member("updated", counts.updated)
    line.member("removed", counts.removed)
    line.member("startedAt", startedAt.description)
    line.member("durationSeconds", literal: duration.decimalSeconds(fractionDigits: 3))
    line.member("cpuSeconds", literal: cpu.decimalSeconds(fractionDigits: 4))
    line.member("requests", requestCount)
    line.member("receivedBytes", receivedBytes)
    line.member("failure", literal: outcome.failure?.json ?? "null")
    line.member("nextDueAt", nextDueAt?.descriptionInSeconds)
    if let note { line.member("note", note) }
    return line.closed()
  }
}

extension Failure {
  /// The failure as compact JSON: `{code, message, retryable, file?, line?}`.
  package var json: String {
    var line = JSONLine()
    line.member("code", code.rawValue)
    line.member("message", message)
    line.member("retryable", literal: retryable ? "true" : "false")
    if let file { line.member("file", file) }
    if let number = self.line { line.member("line", number) }
    return line.closed()
  }
}

extension Outcome {
  package var counts: ChangeCounts {
    if case .newData(let counts) = self { counts } else { .init() }
  }
  package var reason: NoDataReason? { if case .noData(let reason) = self { reason } else { nil } }
  package var failure: Failure? { if case .failed(let failure) = self { failure } else { nil } }
}
