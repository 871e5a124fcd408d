import FetchHost
import Synchronization

/// Watches the files of jobs. A reload begins to watch what is new and leaves the rest to who
/// watches it: no change is missed between the end of one watcher and the begin of another.
final class JobFiles: Sendable {
  private struct State {
    var paths = WatchedPaths()
    var watchers: [Watched] = []
  }

  private struct Watched {
    var watcher: FileWatcher
    var paths: Set<String>
  }

  private let state = Mutex(State())

  /// Each has a descriptor and a thread: after so many reloads with new files, one is for all.
  private static let watchersMax = 8

  /// Watches these, and tells of nothing else any more; tells the names of the jobs whose files have
  /// changed.
  func watch(
    _ paths: WatchedPaths, _ onChange: @escaping @Sendable ([String]) -> Void
  ) async throws(FileWatcher.Refused) {
    let (needless, added) = state.withLock { state in Self.plan(paths, &state) }
    for watcher in needless { await watcher.stop() }
    if added.isEmpty { return }
    let watcher = FileWatcher(paths: added.sorted())
    try watcher.start { [self] changed in
      let names = state.withLock { $0.paths.jobs(watching: changed) }
      if !names.isEmpty { onChange(names) }
    }
    state.withLock { $0.watchers.append(Watched(watcher: watcher, paths: added)) }
  }

  /// The watchers that are to end, and the paths that nobody watches.
  private static func plan(
    _ paths: WatchedPaths, _ state: inout State
  ) -> (needless: [FileWatcher], added: Set<String>) {
    let wanted = Set(paths.all)
    state.paths = paths
    var needless = state.watchers.filter { $0.paths.isDisjoint(with: wanted) }
    state.watchers.removeAll { $0.paths.isDisjoint(with: wanted) }
    var added = state.watchers.reduce(wanted) { $0.subtracting($1.paths) }
    if !added.isEmpty, state.watchers.count >= watchersMax {
      needless += state.watchers
      state.watchers = []
      added = wanted
    }
    return (needless.map(\.watcher), added)
  }

  func stop() async {
    let watchers = state.withLock { state in
      defer { state.watchers = [] }
      return state.watchers
    }
    for watched in watchers { await watched.watcher.stop() }
  }
}
