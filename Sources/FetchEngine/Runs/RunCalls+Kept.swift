import FetchHost
import FetchModel
import FetchStore

extension RunCalls {
  /// What is kept of the run, which has failed; nil where that is not wanted, or nothing could be
  /// learnt from it.
  func kept(_ failure: Failure, _ logs: [LogLine]) -> KeptAnswers? {
    guard KeptRun.isWorthKeeping(failure), let recorder, var run = recorder.run else { return nil }
    run.transfer = transfer.map { RecordedTransfer($0) }
    var recording = Recording(now: record.startedAt)
    recording.options = job.options
    recording.state = snapshot.state
    recording.validators = snapshot.validators.filter { $0.value.reading == job.reading }
    recording.job = job.name
    recording.trigger = record.trigger
    recording.run = record.run
    recording.allowsPrivate = job.grant.privateAddresses != .none
    recording.hosts = job.grant.hosts
    recording.secrets = job.grant.secrets.map { RecordedSecret($0.name, hosts: $0.hosts) }
    recording.limits = job.limits.unusual
    recording.runs = [run]
    let kept = KeptRun(recording, job.plugin, failure, logs, redactor: session.redactor)
    var answers = KeptAnswers(content: kept.encoded, countMax: pipeline.keeping.countMax)
    answers.isAnswerless = KeptRun.isAnswerless(failure, run)
    return answers
  }
}
