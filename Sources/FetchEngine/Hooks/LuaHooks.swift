package import FetchModel

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
    if !hooks.isEmpty { job.hooks = hooks.map(\.hook) }
    return job
  }

  package subscript(name: String) -> LuaHook? {
    entries.first { ExactText($0.hook.name) == ExactText(name) }?.hook
  }
}
