package import FetchModel
package import FetchValues
import Synchronization

/// The hooks of the present config, for all runs and for the delivery service.
package final class HookRegistry: Sendable {
  private struct Pages {
    var hooks: [HookConfig]
    var lua = LuaHooks()
  }

  private let pages: Mutex<Pages>

  package init(_ hooks: [HookConfig] = []) { pages = Mutex(Pages(hooks: hooks)) }

  /// The hooks in the config's order.
  package var all: [HookConfig] { pages.withLock { $0.hooks } }

  /// - Parameter lua: the hook files. If the config names no events for a Lua hook, the functions
  ///   of the hook's file determine the events.
  package func set(_ hooks: [HookConfig], lua: LuaHooks = LuaHooks()) {
    pages.withLock { $0 = Pages(hooks: lua.told(hooks), lua: lua) }
  }

  /// Returns the hooks whose scope includes a job.
  package func hooks(of job: JobName, plugin: PluginName) -> [HookConfig] {
    pages.withLock { $0.hooks.filter { $0.scope.includes(job: job, plugin: plugin) } }
  }

  var luaHooks: LuaHooks { pages.withLock { $0.lua } }

  func luaHook(named name: HookName) -> LuaHook? { luaHooks[name] }
}
