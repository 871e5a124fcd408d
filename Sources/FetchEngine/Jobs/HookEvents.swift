import FetchConfig
import FetchModel
import FetchValues

/// What the config says a hook file is told of, against the functions that the file has.
enum HookEvents {
  /// What it is told of where the config says nothing: all that it has functions for; of `stale` only
  /// where the config says after what.
  static func usual(of config: HookConfig, with hook: LuaHook) -> Set<HookEvent> {
    let events = HookFunction.allCases.filter(hook.has).flatMap(\.events)
    return Set(events.filter { $0 != .stale || config.hasStaleAge })
  }

  /// What is to be told and nobody would hear.
  static func problems(of config: HookConfig, with hook: LuaHook) -> [ConfigProblem] {
    if config.hasStaleAge, !config.namesEvents, !hook.has(.onFailed) {
      return [
        config.problem(
          "stale_after and quiet_after are told to on_failed, which \(hook.file.path) has not")
      ]
    }
    return config.eventPlaces.compactMap { event, line, column in
      let function = HookFunction.function(for: event)
      if hook.has(function) { return nil }
      var problem = config.problem(
        "on has \(event.rawValue), for which \(hook.file.path) has no \(function.rawValue)")
      (problem.line, problem.column) = (line, column)
      return problem
    }
  }

  /// Functions that are never called, by the config's word.
  static func warnings(of config: HookConfig, with hook: LuaHook) -> [ConfigProblem] {
    guard config.namesEvents else { return [] }
    return HookFunction.allCases.compactMap { function in
      guard hook.has(function), !function.events.isEmpty,
        config.events.isDisjoint(with: function.events)
      else { return nil }
      let words = function.events.filter { $0 != .stale }.map(\.rawValue)
      var problem = config.problem(
        "on has no \(words.joined(separator: ", ")), so \(function.rawValue) of \(hook.file.path)"
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
  /// Whether it says after what a job is stale.
  fileprivate var hasStaleAge: Bool { staleAfter != nil || quietAfter != nil }

  func problem(_ message: String) -> ConfigProblem {
    ConfigProblem(
      file: file, line: place.line, column: place.column, "hook '\(name)': \(message)")
  }
}
