package import FetchModel
import FetchValues

/// A hook file that is named on a command line, for one job: who types its name agrees to what it
/// asks for.
package struct CommandLineHook: Sendable {
  package let config: HookConfig
  package let hook: LuaHook

  /// It is told of news, and of none where it has a function for that; named as in its file.
  package init(
    _ file: Plugin, job: String, options: [JobDefinition.OptionText] = [],
    secrets: [GivenSecret] = [], privateAddresses: PrivateAddresses
  ) throws(OptionProblems) {
    var definition = JobDefinition(plugin: file.name, options: options)
    definition.secrets = secrets
    definition.allow.privateAddresses = privateAddresses
    do throws(OptionProblems) { hook = try definition.hook(with: file) } catch {
      throw OptionProblems(
        error.all.map { problem in
          var problem = problem
          problem.hook = file.manifest.name
          return problem
        })
    }
    var settings = LuaHookSettings(file: file.name)
    settings.secrets = secrets
    var config = HookConfig(name: hook.name, sink: .lua(settings))
    config.scope = .jobs([job])
    config.events = Set([.onNewData, .onNoData].filter(hook.has).flatMap(\.events))
    config.namesEvents = true
    self.config = config
  }

  /// Functions that nobody calls, since a run by itself is no failure in a row, and no recovery.
  package var uncalled: [HookFunction] { [.onFailed, .onRecovered].filter(hook.has) }
}
