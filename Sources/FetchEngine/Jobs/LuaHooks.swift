package import FetchConfig
package import FetchModel
import FetchValues

/// The Lua hooks of a config with their files, in the config's order.
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

  /// Those whose files do not load.
  package var unloaded: [LuaHook] { entries.map(\.hook).filter { $0.file.loadFailure != nil } }

  /// Where the files of those are, or would be.
  package func unloadedFiles(in folders: PluginFolders) -> [String] {
    entries.flatMap { entry -> [String] in
      guard entry.hook.file.loadFailure != nil, case .lua(let settings) = entry.config.sink else {
        return []
      }
      return folders.places(ofHook: settings.file)
    }
  }

  /// The same hooks, with those in place of the ones whose files do not load that `make` returns.
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

  /// What may not be meant as it is written, which keeps nothing from running.
  package var warnings: [ConfigProblem] {
    entries.flatMap { HookEvents.warnings(of: $0.config, with: $0.hook) }
  }

  /// Hooks of a config with the events that follow from their files.
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

  package func joined(to prepared: PreparedJob) -> PreparedJob {
    var prepared = prepared
    prepared.job = joined(to: prepared.job)
    return prepared
  }

  /// A job with those that have a word in its runs.
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

  /// Those that are others than they were.
  package func changed(from before: LuaHooks) -> [LuaHook] {
    entries.map(\.hook).filter { hook in before[hook.name].map { $0 != hook } ?? false }
  }

  package subscript(name: String) -> LuaHook? {
    entries.first { ExactText($0.hook.name) == ExactText(name) }?.hook
  }
}
