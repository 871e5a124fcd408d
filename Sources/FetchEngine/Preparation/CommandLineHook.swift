package import FetchModel
import FetchValues

/// A hook file named on a command line for one job: typing its name grants what it requests.
package struct CommandLineHook: Sendable {
  package let config: HookConfig
  package let hook: LuaHook

  /// Creates the hook. It is notified of news, and of runs without news if it has a function for
  /// them; its name is that in its file.
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

  /// The functions that are never called, since a single run is neither a failure in a row nor a
  /// recovery.
  package var uncalled: [HookFunction] { [.onFailed, .onRecovered].filter(hook.has) }
}
