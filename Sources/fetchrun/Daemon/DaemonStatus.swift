import FetchEngine
import Synchronization

/// The line that `systemctl status` shows for a daemon.
final class DaemonStatus: Sendable {
  private let jobs = Mutex<ScheduledJobs?>(nil)

  /// Shows these jobs from now on.
  func watch(_ jobs: ScheduledJobs) { self.jobs.withLock { $0 = jobs } }

  /// The line; empty before there are jobs.
  var text: String { jobs.withLock { $0 }?.status ?? "" }
}
