import FetchConfig
import FetchModel
import FetchValues

/// The comparison of a hook's events in the config with the functions of its file.
enum HookEvents {
  /// Returns the events of a hook for which the config names no events: all events for which the
  /// file has functions. The result includes `stale` only if the config sets an age.
  static func usual(of config: HookConfig, with hook: LuaHook) -> Set<HookEvent> {
    let events = HookFunction.allCases.filter(hook.has).flatMap(\.events)
    return Set(events.filter { $0 != .stale || config.hasStaleAge })
  }

  /// Returns the problems with events that the config names although the file has no function for
  /// them.
  static func problems(of config: HookConfig, with hook: LuaHook) -> [ConfigProblem] {
    if config.hasStaleAge, !config.namesEvents, !hook.has(.onFailed) {
      return [
        config.problem(
          "`stale_after` and `quiet_after` need the function on_failed, which \(hook.file.path)"
            + " lacks")
      ]
    }
    return config.eventPlaces.compactMap { event, line, column in
      let function = HookFunction.function(for: event)
      if hook.has(function) { return nil }
      var problem = config.problem(
        "`on` has \(event.rawValue), but \(hook.file.path) has no function \(function.rawValue)")
      (problem.line, problem.column) = (line, column)
      return problem
    }
  }

  /// Returns warnings about functions that are never called because the config excludes their
  /// events.
  static func warnings(of config: HookConfig, with hook: LuaHook) -> [ConfigProblem] {
    guard config.namesEvents else { return [] }
    return HookFunction.allCases.compactMap { function in
      guard hook.has(function), !function.events.isEmpty,
        config.events.isDisjoint(with: function.events)
      else { return nil }
      let words = function.events.filter { $0 != .stale }.map(\.rawValue)
      var problem = config.problem(
        "`on` has no \(words.joined(separator: ", ")), so \(function.rawValue) of \(hook.file.path)"
          + " is never called")
      if let first = config.eventPlaces.first {
        (problem.line, problem.column) = (first.line, first.column)
      }
      problem.isWarning = true
      return problem
    }
  }
}

extension HookConfig {
  /// Whether the config sets the age at which a job is stale.
  fileprivate var hasStaleAge: Bool { staleAfter != nil || quietAfter != nil }

  func problem(_ message: String) -> ConfigProblem {
    ConfigProblem(
      file: file, line: place.line, column: place.column, "hook '\(name)': \(message)")
  }
}
