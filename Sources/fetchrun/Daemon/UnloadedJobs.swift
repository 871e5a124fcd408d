import FetchConfig
import FetchEngine
import Synchronization

/// The jobs that a daemon serves though their plugins do not load: each of their runs fails, until a
/// change of its file makes the plugin load.
final class UnloadedJobs: Sendable {
  private struct State {
    var jobs: [PreparedJob] = []
    var folders = PluginFolders([])
  }

  private let state = Mutex(State())

  /// Those of the jobs that do not load, in place of the ones before.
  func set(_ prepared: [PreparedJob], folders: PluginFolders) {
    let jobs = prepared.filter { $0.job.plugin.loadFailure != nil }
    state.withLock { $0 = State(jobs: jobs, folders: folders) }
  }

  var all: [PreparedJob] { state.withLock { $0.jobs } }

  var folders: PluginFolders { state.withLock { $0.folders } }

  /// Where the files of their plugins are, or would be.
  var files: [String] {
    let state = state.withLock { $0 }
    return state.jobs.flatMap { state.folders.places(of: $0.config.plugin) }
  }

  /// Reads their plugins again. Returns the jobs that load now, or do not for another reason.
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
