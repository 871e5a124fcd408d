import FetchConfig
import FetchValues

/// The watched files and folders of enabled jobs, and the files of plugins and hooks that do not
/// load. Each file or folder of jobs has the names of the jobs that watch it.
struct WatchedPaths: Sendable {
  private var jobs: [String: [JobName]] = [:]
  /// The possible paths of the plugin files and hook files that do not load, and of the files that
  /// they require. After a change at such a path, the daemon reads these files again.
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
