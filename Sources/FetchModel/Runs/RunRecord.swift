package import FetchValues

/// The record of a finished run with any outcome.
package struct RunRecord: Equatable, Sendable {
  package var run: RunID
  package var job: JobName
  package var plugin: PluginName
  package var trigger: RunTrigger
  package var outcome: Outcome
  package var startedAt: Timestamp
  package var duration: Duration = .zero
  /// The CPU time of the plugin's code and of the run's hooks, including the library functions that
  /// they call.
  package var cpu: Duration = .zero
  package var requestCount = 0
  package var receivedBytes = 0
  package var nextDueAt: Timestamp?
  /// The changes that checkpoints stored before the run failed.
  package var checkpointed = ChangeCounts()
  /// A short note that follows the outcome in the run's output line, such as `6 downloads queued`.
  /// The note is not stored.
  package var note: String?

  package init(
    run: RunID, job: JobName, plugin: PluginName, trigger: RunTrigger, outcome: Outcome,
    startedAt: Timestamp
  ) {
    self.run = run
    self.job = job
    self.plugin = plugin
    self.trigger = trigger
    self.outcome = outcome
    self.startedAt = startedAt
  }

  /// The changes that the run has stored, even if it failed.
  package var counts: ChangeCounts {
    outcome.failure == nil ? outcome.counts : checkpointed
  }
}

/// The cause of a run's start.
package enum RunTrigger: String, Sendable, CaseIterable {
  case manual
  case schedule
  case retry
  case push
  case event
  case transfer
}

extension RunRecord {
  /// The run as a line of `--json`: one compact object. Other programs read the line, so keys may
  /// be added but never renamed, moved or removed.
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
