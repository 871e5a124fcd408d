import FetchConfig
import FetchEngine
import Synchronization

/// The jobs that a daemon serves although their plugins do not load. Each of their runs fails until
/// the plugin loads.
final class UnloadedJobs: Sendable {
  private struct State {
    var jobs: [Job] = []
    var folders = PluginFolders([])
  }

  private let state = Mutex(State())

  /// Replaces the stored jobs with the jobs of `prepared` whose plugins do not load.
  func set(_ prepared: [Job], folders: PluginFolders) {
    let jobs = prepared.filter { $0.plugin.loadFailure != nil }
    state.withLock { $0 = State(jobs: jobs, folders: folders) }
  }

  var all: [Job] { state.withLock { $0.jobs } }

  var folders: PluginFolders { state.withLock { $0.folders } }

  /// The possible paths of the stored jobs' plugin files, and of the files that these plugins
  /// require. Paths of missing files are included.
  var files: [String] {
    let state = state.withLock { $0 }
    return state.jobs.compactMap(\.config).flatMap { state.folders.places(of: $0.plugin) }
  }

  /// Reads the plugins of the jobs again. Returns the jobs whose plugins now load, or now fail to
  /// load for a different reason than before.
  func retry(_ preparation: JobPreparation) async -> [Job] {
    var (changed, left): ([Job], [Job]) = ([], [])
    for before in all {
      guard let config = before.config else { continue }
      guard let after = await preparation.prepareAgain(config) else {
        left.append(before)
        continue
      }
      if after.plugin.loadFailure != before.plugin.loadFailure { changed.append(after) }
      if after.plugin.loadFailure != nil { left.append(after) }
    }
    state.withLock { [left] in $0.jobs = left }
    return changed
  }
}
