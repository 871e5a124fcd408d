package import FetchModel
import FetchSchedule
import FetchValues
import Synchronization

/// The metrics that a process counts while it runs jobs. At most `jobsMax` jobs are counted by
/// name.
package final class DaemonMetrics: Sendable {
  private struct State {
    var counters = MonitoringCounters()
    var jobs: [JobName: RunCounts] = [:]
  }

  /// The numbers of a job's ended runs, by outcome.
  struct RunCounts: Hashable, Sendable {
    var newData = 0
    var noData = 0
    var failed = 0

    fileprivate mutating func add(_ outcome: OutcomeKind) {
      switch outcome {
      case .newData: newData += 1
      case .noData: noData += 1
      case .failed: failed += 1
      }
    }
  }

  private let state = Mutex(State())

  package init() {}

  package var counters: MonitoringCounters { state.withLock(\.counters) }

  /// The maximum number of jobs that are counted by name. Each plugin that runs without a config
  /// can add a name, so the number of names has no other limit.
  private static let jobsMax = MetricsSeries.jobsMax

  /// The subscriber that counts the ended runs of a process.
  var sink: EventSink {
    EventSink { [self] event in
      if case .runEnded(let report) = event { add(report.record) }
    }
  }

  private func add(_ record: RunRecord) {
    let job = record.job
    state.withLock { state in
      state.counters.add(record)
      guard state.jobs.count < Self.jobsMax || state.jobs[job] != nil else { return }
      state.jobs[job, default: RunCounts()].add(record.outcome.kind)
    }
  }

  /// Returns the counts of the jobs' ended runs, in the order of `jobs`. The counts of a job that
  /// is not counted by name are zero.
  func runs(of jobs: [JobName]) -> [RunCounts] {
    state.withLock { state in jobs.map { state.jobs[$0] ?? RunCounts() } }
  }

  func runStarted(delay: Duration) {
    state.withLock { $0.counters.startDelaySeconds.add(delay) }
  }

  /// Counts new items by the time since their publication.
  func itemsFound(published times: [Timestamp], at now: Timestamp) {
    state.withLock { state in
      for time in times { state.counters.itemDelaySeconds.add(now - time) }
    }
  }

  func committed(in duration: Duration) {
    state.withLock { $0.counters.commitSeconds.add(duration) }
  }

  func skipped(_ reason: SkipReason) {
    state.withLock { $0.counters.skips[reason.word, default: 0] += 1 }
  }

  func attempted(_ hook: HookName, _ result: MonitoringCounters.DeliveryResult) {
    state.withLock { $0.counters.add(result, of: hook.text) }
  }

  func received(transferBytes count: Int) {
    state.withLock { $0.counters.transferBytes &+= Int64(max(0, count)) }
  }
}
