import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

extension RunSession {
  /// What is kept of the run, which has failed; nil where that is not wanted, or nothing could be
  /// learnt from it. Where it cannot be recorded, why.
  func kept(_ failure: Failure, _ logs: [LogLine]) -> KeptAnswers? {
    guard KeptRun.reasonToPass(over: failure.code) == nil, let recorder, refusal == nil else {
      return nil
    }
    var run: RecordedRun
    switch recorder.recorded {
    case .success(let recorded): run = recorded
    case .failure(let unrecorded):
      var answers = KeptAnswers(
        content: KeptRun.encoded(unkeptSince: unrecorded.reason), countMax: keeping.countMax)
      // Nothing gives way to it that can be done again.
      answers.isAnswerless = true
      return answers
    }
    let (job, snapshot, record) = (leased.job, leased.snapshot, leased.record)
    run.transfer = leased.transfer.map { RecordedTransfer($0) }
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
    let kept = KeptRun(recording, job.plugin, failure, logs, redactor: http.redactor)
    var answers = KeptAnswers(content: kept.encoded, countMax: keeping.countMax)
    answers.isAnswerless = KeptRun.isAnswerless(failure, run)
    return answers
  }
}

/// Of how many failed runs of a job the answers are kept, which a reload may change.
package final class FailureKeeping: Sendable {
  private let count: Atomic<Int>
  /// Of all runs under way; none knows yet whether it will fail.
  let allowance = RecorderAllowance(bytesMax: heldBytesMax)

  private static let heldBytesMax = 64 << 20

  /// 0: of none.
  package init(count: Int) { self.count = Atomic(count) }

  package var countMax: Int { count.load(ordering: .relaxed) }

  package func setCount(_ count: Int) { self.count.store(count, ordering: .relaxed) }
}
