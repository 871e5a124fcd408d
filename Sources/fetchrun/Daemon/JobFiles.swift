import FetchHost
import Synchronization

/// Watches the files of jobs.
final class JobFiles: Sendable {
  private let watcher = Mutex<FileWatcher?>(nil)

  /// Watches these, and nothing else any more; tells the names of the jobs whose files have changed.
  func watch(
    _ paths: WatchedPaths, _ onChange: @escaping @Sendable ([String]) -> Void
  ) async throws(FileWatcher.Refused) {
    await stop()
    if paths.all.isEmpty { return }
    let watcher = FileWatcher(paths: paths.all)
    try watcher.start { changed in onChange(paths.jobs(watching: changed)) }
    self.watcher.withLock { $0 = watcher }
  }

  func stop() async {
    let watcher = watcher.withLock { watcher in
      defer { watcher = nil }
      return watcher
    }
    await watcher?.stop()
  }
}
