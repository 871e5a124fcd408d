package import FetchConfig
package import FetchModel
package import FetchValues

/// The Lua hooks of a config with their files, in the order of the config.
package struct LuaHooks: Sendable {
  package struct Entry: Sendable {
    var config: HookConfig
    var hook: LuaHook
  }

  private var entries: [Entry] = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  package mutating func append(_ hook: LuaHook, of config: HookConfig) {
    entries.append(Entry(config: config, hook: hook))
  }

  /// The hooks whose files do not load.
  package var unloaded: [LuaHook] { entries.map(\.hook).filter { $0.file.loadFailure != nil } }

  /// Returns the paths to watch for the files that do not load. A file at such a path need not
  /// exist.
  package func unloadedFiles(in folders: PluginFolders) -> [String] {
    entries.flatMap { entry -> [String] in
      guard entry.hook.file.loadFailure != nil, case .lua(let settings) = entry.config.sink else {
        return []
      }
      return folders.places(ofHook: settings.file)
    }
  }

  /// Returns the hooks. A hook whose file does not load is replaced by the result of `make`, unless
  /// the result is nil.
  func replacingUnloaded(
    _ make: (HookConfig, LuaHookSettings) async -> LuaHook?
  ) async -> LuaHooks {
    var hooks = self
    for (index, entry) in entries.enumerated() where entry.hook.file.loadFailure != nil {
      guard case .lua(let settings) = entry.config.sink else { continue }
      guard let made = await make(entry.config, settings) else { continue }
      hooks.entries[index].hook = made
    }
    return hooks
  }

  /// The warnings about functions that are never called, because the config excludes their events.
  package var warnings: [ConfigProblem] {
    entries.flatMap { HookEvents.warnings(of: $0.config, with: $0.hook) }
  }

  /// Returns the hooks of a config with their events. If the config names no events for a Lua hook,
  /// the hook's file determines the events.
  func told(_ configs: [HookConfig]) -> [HookConfig] {
    configs.map { config in
      guard case .lua = config.sink, !config.namesEvents, let hook = self[config.name] else {
        return config
      }
      var config = config
      config.events = HookEvents.usual(of: config, with: hook)
      return config
    }
  }

  /// Returns the job with the hooks that take part in its runs.
  package func joined(to job: Job) -> Job {
    var job = job
    let plugin = job.plugin.manifest.name
    let hooks = entries.filter {
      $0.config.scope.includes(job: job.name, plugin: plugin)
        && ($0.hook.has(.beforeRun) || $0.hook.has(.onItem))
    }
    job.hooks = hooks.map(\.hook)
    return job
  }

  /// Returns the hooks that differ from the hook with the same name in `before`. Hooks with new
  /// names are left out.
  package func changed(from before: LuaHooks) -> [LuaHook] {
    entries.map(\.hook).filter { hook in before[hook.name].map { $0 != hook } ?? false }
  }

  package subscript(name: HookName) -> LuaHook? {
    entries.first { $0.hook.name == name }?.hook
  }
}

/// One configured use of a hook file with everything that a call needs.
package struct LuaHook: Equatable, Sendable {
  /// The hook's name, which identifies the hook in the store and in messages.
  package var name: HookName
  package var file: Plugin
  /// The permissions that the file requests, and the rules for granting them.
  package var claim: GrantRule.Claim
  /// The values of all declared options that have a value.
  package var options: ValueObject
  package var grant: Grant
  /// The sources of the secrets that the config gives the hook, by name.
  package var secretSources: [String: SecretSource]
  package var limits: RunLimits
  package var isolation: Isolation

  package func has(_ function: HookFunction) -> Bool {
    file.manifest.functions.contains(function.rawValue)
  }
}

extension LuaHook {
  /// Creates a stand-in for a hook whose file does not load, or whose options or secrets are
  /// invalid. The stand-in is not called, and its deliveries wait.
  init(
    failing failure: Failure, _ name: HookName, file: String, functions: [String]
  ) {
    let file = Plugin(standingInForHook: file, failure, functions: functions)
    self.init(
      name: name, file: file,
      claim: GrantRule.Claim(plugin: file.name, hash: [], asked: file.asked),
      options: ValueObject(), grant: Grant(), secretSources: [:], limits: RunLimits(),
      isolation: .shared)
  }

  /// Creates a hook from a job that was made from the hook's file. The hook has the grant of that
  /// job.
  init(_ job: Job) {
    self.init(
      name: HookName(job.name.text), file: job.plugin, claim: job.claim, options: job.options,
      grant: job.grant,
      secretSources: job.secretSources, limits: job.limits, isolation: job.isolation)
  }
}

extension JobConfig {
  /// Returns the hook with the given file. Throws the problems of the hook's options and secrets.
  package func hook(with file: Plugin) throws(OptionProblems) -> LuaHook {
    var config = self
    if name.isEmpty { config.name = JobName(file.manifest.name.text) }
    return LuaHook(try config.job(with: file))
  }
}

/// The comparison of a hook's events in the config with the functions of its file.
enum HookEvents {
  /// Returns the events of a hook for which the config names no events: all events for which the
  /// file has functions. Includes `stale` only if the config sets the age at which a job is stale.
  static func usual(of config: HookConfig, with hook: LuaHook) -> Set<HookEvent> {
    let events = HookFunction.allCases.filter(hook.has).flatMap(\.events)
    return Set(events.filter { $0 != .stale || config.hasStaleAge })
  }

  /// Returns the problems with events that the config names although the file has no function for
  /// them. If the config names no events but sets `stale_after` or `quiet_after`, a missing
  /// `on_failed` is the only problem.
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
        "`on` contains '\(event.rawValue)', but \(hook.file.path) has no function "
          + function.rawValue)
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
      let words = function.events.filter { $0 != .stale }.map { "'\($0.rawValue)'" }
      var problem = config.problem(
        "`on` does not contain \(words.joined(separator: " or ")), so \(function.rawValue) of "
          + "\(hook.file.path) is never called")
      if let first = config.eventPlaces.first {
        (problem.line, problem.column) = (first.line, first.column)
      }
      problem.isWarning = true
      return problem
    }
  }
}

extension HookConfig {
  fileprivate var hasStaleAge: Bool { staleAfter != nil || quietAfter != nil }

  func problem(_ message: String) -> ConfigProblem {
    ConfigProblem(
      file: file, line: place.line, column: place.column, "hook '\(name)': \(message)")
  }
}
