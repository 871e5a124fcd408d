package import FetchModel

/// A hook file that is named on a command line, for one job: who types its name agrees to what it
/// asks for.
package struct TypedHook: Sendable {
  package let config: HookConfig
  package let hook: LuaHook

  /// It is told of news, and of none where it has a function for that; named as in its file.
  package init(
    _ file: Plugin, job: String, privateAddresses: PrivateAddresses
  ) throws(OptionProblems) {
    var definition = JobDefinition(plugin: file.name)
    definition.allow.privateAddresses = privateAddresses
    hook = try definition.hook(with: file)
    var config = HookConfig(name: hook.name, sink: .lua(LuaHookSettings(file: file.name)))
    config.scope = .jobs([job])
    config.events = []
    if hook.has(.onNewData) { config.events = [.added, .updated, .removed] }
    if hook.has(.onNoData) { config.events.insert(.noData) }
    self.config = config
  }
}
