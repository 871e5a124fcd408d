import FetchConfig
import FetchEngine
import Synchronization

/// The jobs that a daemon serves although their plugins do not load. Each of their runs fails until
/// the plugin's file changes and the plugin loads.
final class UnloadedJobs: Sendable {
  private struct State {
    var jobs: [PreparedJob] = []
    var folders = PluginFolders([])
  }

  private let state = Mutex(State())

  /// Replaces the stored jobs by those of `prepared` that do not load.
  func set(_ prepared: [PreparedJob], folders: PluginFolders) {
    let jobs = prepared.filter { $0.job.plugin.loadFailure != nil }
    state.withLock { $0 = State(jobs: jobs, folders: folders) }
  }

  var all: [PreparedJob] { state.withLock { $0.jobs } }

  var folders: PluginFolders { state.withLock { $0.folders } }

  /// The paths where their plugins' files are or could be.
  var files: [String] {
    let state = state.withLock { $0 }
    return state.jobs.flatMap { state.folders.places(of: $0.config.plugin) }
  }

  /// Reads their plugins again. Returns the jobs that load now, or that fail for another reason.
  func retry(_ preparation: JobPreparation) async -> [PreparedJob] {
    var (changed, left): ([PreparedJob], [PreparedJob]) = ([], [])
    for before in all {
      let after = await preparation.prepareAgain(before)
      if after.job.plugin.loadFailure != before.job.plugin.loadFailure { changed.append(after) }
      if after.job.plugin.loadFailure != nil { left.append(after) }
    }
    state.withLock { [left] in $0.jobs = left }
    return changed
  }
}
