import FetchConfig

/// The watched files and folders of jobs, with the jobs' names, and the files of plugins that do
/// not load.
struct WatchedPaths: Sendable {
  private var jobs: [String: [String]] = [:]
  /// The files whose change causes such a plugin to be loaded again.
  var plugins: Set<String>

  init(_ configs: [JobConfig] = [], plugins: [String] = []) {
    self.plugins = Set(plugins)
    for config in configs where config.isEnabled {
      for path in config.watchedPaths { jobs[path, default: []].append(config.name) }
    }
  }

  var all: [String] { plugins.union(jobs.keys).sorted() }

  /// Returns the names of the jobs that watch any of these paths, each once.
  func jobs(watching paths: [String]) -> [String] {
    Set(paths.flatMap { jobs[$0] ?? [] }).sorted()
  }
}
