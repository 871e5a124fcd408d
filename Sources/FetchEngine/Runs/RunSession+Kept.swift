import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

extension RunSession {
  /// Returns the answers of the failed run that are kept, or the reason why the run could not be
  /// recorded. Returns nil if no answers are to be kept, or if a replay would show nothing.
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
      // An entry without answers is marked as answerless, so that it never replaces an entry with
      // answers.
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

/// The setting for how many failed runs of a job have their answers kept. A reload of the config
/// may change it.
package final class FailureKeeping: Sendable {
  private let count: Atomic<Int>
  /// The number of bytes that all runs under way may record, since any of these runs may still
  /// fail.
  let allowance = RecorderAllowance(bytesMax: heldBytesMax)

  private static let heldBytesMax = 64 << 20

  /// Creates the setting. With a count of 0, no answers are kept.
  package init(count: Int) { self.count = Atomic(count) }

  package var countMax: Int { count.load(ordering: .relaxed) }

  package func setCount(_ count: Int) { self.count.store(count, ordering: .relaxed) }
}
