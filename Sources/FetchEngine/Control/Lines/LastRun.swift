import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// The kind of a job's last run, as far as the job's schedule shows it. The status reads only some
/// of these runs from the store, because a read for each of many jobs would be slow.
enum LastRun: Sendable {
  /// The reason in the status needs no addition.
  case known
  /// The run failed, and the reason in the status does not have the failure's message yet.
  case failed
  /// The run counted neither as a success nor as a failure. For example, it was cancelled.
  case uncounted
  /// No config with the job was read, and the schedule knows no run of it. `fetchrun --plugin`
  /// started its runs, which only the store knows.
  case unscheduled

  /// - Parameters:
  ///   - isListed: whether a config with the job was read.
  ///   - job: the job with its plugin; nil if only the schedule is known.
  init(_ line: StatusLine, _ schedule: JobSchedule, isListed: Bool, _ job: Job?) {
    if !isListed, schedule.lastStartAt == nil {
      self = .unscheduled
      return
    }
    self =
      switch JobState(rawValue: line.state) {
      case .running: .known
      case .backOff: job?.plugin.loadFailure == nil ? .failed : .known
      default: schedule.hasUncountedRun ? .uncounted : .known
      }
  }
}

extension JobSchedule {
  /// Whether the run that began last has counted neither as a success nor as a failure. Also true
  /// while the run is under way.
  fileprivate var hasUncountedRun: Bool {
    guard failureCount == 0, let lastStartAt else { return false }
    return lastSuccessAt.map { $0 < lastStartAt } ?? true
  }
}

extension ReadableStore {
  /// Returns the line with what the store knows about the job's last run: the message of its
  /// failure, or that it was cancelled. For a job without a schedule, also the outcomes of its
  /// latest runs, and their times.
  func adding(_ lastRun: LastRun, to line: StatusLine) async -> StatusLine {
    let job = JobName(line.job)
    var line = line
    switch lastRun {
    case .known: break
    case .failed: line.why = await naming(lastFailureOf: job, in: line.why)
    case .uncounted:
      let said = "its last run was cancelled"
      if !line.why.contains(said),
        let failure = try? await runs(job: job, limit: 1).first?.outcome.failure,
        failure.code == .cancelled
      {
        line.why += "; \(said)"
      }
    case .unscheduled: line.count(await countedRuns(of: job))
    }
    return line
  }

  /// Returns the latest runs of a job that count, newest first, from its last 2,000 runs.
  private func countedRuns(of job: JobName) async -> [RunRecord] {
    var counted: [RunRecord] = []
    var mark: PageMark?
    for _ in 0..<20 {
      guard let page = try? await runs(RunQuery(job: job, limit: 100), after: mark) else { break }
      counted += page.elements.filter(\.isCounted)
      mark = page.next
      if mark == nil || counted.count >= 100 { break }
    }
    return counted
  }
}

extension StatusLine {
  /// Sets what a schedule would have counted: the last outcome, the times and the failures in a row.
  ///
  /// - Parameter runs: the latest runs that count, newest first.
  fileprivate mutating func count(_ runs: [RunRecord]) {
    failures = runs.prefix { $0.outcome.failure != nil }.count
    lastOutcome = runs.first?.outcome.word
    lastSuccessAt = runs.first { $0.outcome.failure == nil }?.end
    lastNewDataAt = runs.first { $0.outcome.kind == .newData }?.end
  }
}

extension RunRecord {
  /// Whether a schedule would count the run. Calls of `on_transfer`, cancelled runs, and failures
  /// for lack of a network do not count.
  fileprivate var isCounted: Bool {
    let code = outcome.failure?.code
    return trigger != .transfer && code != .cancelled && code != .offline
  }

  /// The end of the run in whole seconds.
  fileprivate var end: Timestamp { Timestamp(seconds: (startedAt + duration).seconds) }
}
