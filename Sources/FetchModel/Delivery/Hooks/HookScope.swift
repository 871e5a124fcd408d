import FetchValues

/// The jobs whose runs a hook is told of.
package enum HookScope: Equatable, Sendable {
  case allJobs
  /// Those of these plugins, by the names in their manifests.
  case plugins([String])
  case jobs([String])
}

extension HookScope {
  package func includes(job: String, plugin: String) -> Bool {
    switch self {
    case .allJobs: true
    case .plugins(let names): names.contains { ExactText($0) == ExactText(plugin) }
    case .jobs(let names): names.contains { ExactText($0) == ExactText(job) }
    }
  }
}
