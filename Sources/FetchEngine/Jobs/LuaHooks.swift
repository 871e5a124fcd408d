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

  /// Returns the paths to watch for the files that do not load. A file at such a path may not exist
  /// yet.
  package func unloadedFiles(in folders: PluginFolders) -> [String] {
    entries.flatMap { entry -> [String] in
      guard entry.hook.file.loadFailure != nil, case .lua(let settings) = entry.config.sink else {
        return []
      }
      return folders.places(ofHook: settings.file)
    }
  }

  /// Returns the hooks. `make` replaces each hook whose file does not load.
  func replacingUnloaded(
    _ make: (HookConfig, LuaHookSettings) async -> LuaHook
  ) async -> LuaHooks {
    var hooks = self
    for (index, entry) in entries.enumerated() where entry.hook.file.loadFailure != nil {
      guard case .lua(let settings) = entry.config.sink else { continue }
      hooks.entries[index].hook = await make(entry.config, settings)
    }
    return hooks
  }

  /// The warnings about settings that the user may not have intended. The hooks work in spite of
  /// these settings.
  package var warnings: [ConfigProblem] {
    entries.flatMap { HookEvents.warnings(of: $0.config, with: $0.hook) }
  }

  /// Returns the hooks of a config with their events. If the config names no events for a hook, the
  /// hook's file determines the events.
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

  /// Returns the hooks that differ from the hooks in `before`.
  package func changed(from before: LuaHooks) -> [LuaHook] {
    entries.map(\.hook).filter { hook in before[hook.name].map { $0 != hook } ?? false }
  }

  package subscript(name: HookName) -> LuaHook? {
    entries.first { $0.hook.name == name }?.hook
  }
}
