import FetchModel
import FetchValues

/// The check of the hooks against each other and against the rest of the config. It finds problems
/// such as duplicate names.
enum HookCheck {
  /// Returns the problems of the hooks in a config.
  ///
  /// - Parameter hasAllJobs: whether the config has all jobs of its files. Otherwise, the names of
  ///   jobs in hooks are not checked.
  static func problems(of config: Config, hasAllJobs: Bool = true) -> [ConfigProblem] {
    let hooks = config.allHooks
    if hooks.isEmpty { return [] }
    var problems: [ConfigProblem] = []
    var first: [HookName: HookConfig] = [:]
    for hook in hooks {
      if let other = first[hook.name] {
        let place =
          other.file == hook.file
          ? "on line \(other.place.line)" : "in \(other.file):\(other.place.line)"
        problems.append(
          problem(of: hook, "duplicate hook name '\(hook.name)' (first defined \(place))"))
      }
      first[hook.name] = first[hook.name] ?? hook
    }
    let secrets = config.secretVariables
    for hook in hooks {
      guard case .command(let settings) = hook.sink else { continue }
      for name in settings.variables where secrets.contains(name) {
        problems.append(
          problem(
            of: hook,
            "hook '\(hook.name)': the variable \(name) is the source of a secret, which a hook's "
              + "program cannot receive; remove it from `env`"))
      }
    }
    guard hasAllJobs, config.hooks.contains(where: \.namesJobs) else { return problems }
    let names = config.jobs.map(\.name)
    let known = Set(names)
    for hook in config.hooks {
      guard case .jobs(let wanted) = hook.scope else { continue }
      for name in wanted where !known.contains(name) {
        problems.append(
          problem(
            of: hook,
            "hook '\(hook.name)': there is no job '\(name)'\(NearestName.hint(name.text, among: names.map(\.text)))"
          )
        )
      }
    }
    return problems
  }

  private static func problem(of hook: HookConfig, _ message: String) -> ConfigProblem {
    ConfigProblem(file: hook.file, line: hook.place.line, column: hook.place.column, message)
  }
}

extension HookConfig {
  /// Whether the hook is restricted to named jobs.
  var namesJobs: Bool {
    if case .jobs = scope { true } else { false }
  }
}
