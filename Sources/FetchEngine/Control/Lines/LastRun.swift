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

  /// - Parameter job: the job with its plugin; nil if only the schedule is known.
  init(_ line: StatusLine, _ schedule: JobSchedule, _ job: Job?) {
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
  /// Returns the reason in a job's status with what the store knows about the job's last run: the
  /// message of its failure, or that it was cancelled.
  func naming(_ lastRun: LastRun, of job: JobName, in why: String) async -> String {
    switch lastRun {
    case .known: return why
    case .failed: return await naming(lastFailureOf: job, in: why)
    case .uncounted:
      let said = "its last run was cancelled"
      guard !why.contains(said),
        let failure = try? await runs(job: job, limit: 1).first?.outcome.failure,
        failure.code == .cancelled
      else { return why }
      return "\(why); \(said)"
    }
  }
}
