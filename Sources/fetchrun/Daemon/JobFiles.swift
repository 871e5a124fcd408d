import FetchHost
import FetchValues
import Synchronization

/// The watchers of the paths that jobs watch, and of the files of plugins and hooks that do not
/// load.
///
/// Up to `watchersMax`, new paths get an additional watcher, and the watchers that are still needed
/// continue. If one watcher replaces another, a change between the two can be missed.
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

  /// The maximum number of watchers. Each watcher needs descriptors and a thread. Beyond this
  /// number, one new watcher replaces all of them.
  private static let watchersMax = 8

  struct Change: Sendable {
    /// The names of the jobs whose files have changed.
    var jobs: [JobName]
    /// Whether a path in `WatchedPaths.plugins` has changed.
    var hasPlugins: Bool
  }

  var paths: WatchedPaths { state.withLock { $0.paths } }

  /// Watches the given paths. Stops the watchers that are no longer needed.
  func watch(
    _ paths: WatchedPaths, _ onChange: @escaping @Sendable (Change) -> Void
  ) async throws(FileWatcher.Refused) {
    let (needless, added) = state.withLock { state in Self.plan(paths, &state) }
    for watcher in needless { await watcher.stop() }
    if added.isEmpty { return }
    let watcher = FileWatcher(paths: added.sorted())
    try watcher.start { [self] changed in
      let paths = self.paths
      let change = Change(
        jobs: paths.jobs(watching: changed),
        hasPlugins: !paths.plugins.isDisjoint(with: changed))
      if !change.jobs.isEmpty || change.hasPlugins { onChange(change) }
    }
    state.withLock { $0.watchers.append(Watched(watcher: watcher, paths: added)) }
  }

  /// Stores the paths in the state, and removes the watchers that must stop. Returns these
  /// watchers, and the paths that no remaining watcher watches.
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
