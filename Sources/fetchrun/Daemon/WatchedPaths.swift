import FetchConfig

/// The files and folders that jobs ask to be watched, with the names of those jobs, and the files of
/// plugins that do not load.
struct WatchedPaths: Sendable {
  private var jobs: [String: [String]] = [:]
  /// Whose change is a reason to load such a plugin again.
  var plugins: Set<String>

  init(_ configs: [JobConfig] = [], plugins: [String] = []) {
    self.plugins = Set(plugins)
    for config in configs where config.isEnabled {
      for path in config.watchedPaths { jobs[path, default: []].append(config.name) }
    }
  }

  var all: [String] { plugins.union(jobs.keys).sorted() }

  /// Who asked for any of these, each once.
  func jobs(watching paths: [String]) -> [String] {
    Set(paths.flatMap { jobs[$0] ?? [] }).sorted()
  }
}
