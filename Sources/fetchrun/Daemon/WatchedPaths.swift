import FetchConfig
import FetchValues

/// The watched files and folders of jobs, and the files of plugins that do not load. Each file or
/// folder of jobs has the names of the jobs that watch it.
struct WatchedPaths: Sendable {
  private var jobs: [String: [JobName]] = [:]
  /// The files of plugins that do not load. After a change of such a file, the daemon loads its
  /// plugin again.
  var plugins: Set<String>

  init(_ configs: [JobConfig] = [], plugins: [String] = []) {
    self.plugins = Set(plugins)
    for config in configs where config.isEnabled {
      for path in config.watchedPaths { jobs[path, default: []].append(config.name) }
    }
  }

  var all: [String] { plugins.union(jobs.keys).sorted() }

  /// Returns the names of the jobs that watch any of these paths. Each name is returned once.
  func jobs(watching paths: [String]) -> [JobName] {
    Set(paths.flatMap { jobs[$0] ?? [] }).sorted()
  }
}
