import FetchConfig
import FetchValues

/// The paths that the daemon watches for jobs and hooks. Some are paths that enabled jobs watch.
/// The others are in `plugins`.
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

  func jobs(watching paths: [String]) -> [JobName] {
    Set(paths.flatMap { jobs[$0] ?? [] }).sorted()
  }
}
