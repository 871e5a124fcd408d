import FetchEngine
import Synchronization

/// The line that `systemctl status` shows for a daemon.
final class DaemonStatus: Sendable {
  private let jobs = Mutex<ScheduledJobs?>(nil)

  /// Sets the jobs that the line describes.
  func watch(_ jobs: ScheduledJobs) { self.jobs.withLock { $0 = jobs } }

  /// The line; empty until `watch` is called.
  var text: String { jobs.withLock { $0 }?.status ?? "" }
}
