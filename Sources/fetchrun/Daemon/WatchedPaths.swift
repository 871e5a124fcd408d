import FetchConfig

/// The files and folders that jobs ask to be watched, with the names of those jobs.
struct WatchedPaths: Sendable {
  private var jobs: [String: [String]] = [:]

  init(_ configs: [JobConfig] = []) {
    for config in configs where config.isEnabled {
      for path in config.watchedPaths { jobs[path, default: []].append(config.name) }
    }
  }

  var all: [String] { jobs.keys.sorted() }

  /// Who asked for any of these, each once.
  func jobs(watching paths: [String]) -> [String] {
    Set(paths.flatMap { jobs[$0] ?? [] }).sorted()
  }
}
