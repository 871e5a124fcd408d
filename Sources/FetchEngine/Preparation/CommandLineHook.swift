package import FetchConfig
package import FetchModel
package import FetchValues

/// A hook file that a user has named on the command line for one job. By naming the file, the user
/// grants the permissions that the file requests.
package struct CommandLineHook: Sendable {
  package let config: HookConfig
  package let hook: LuaHook

  /// Creates a hook from its file. The hook receives the events of news and of runs without news,
  /// if the file has functions for these events. The name of the hook is the manifest's name.
  package init(
    _ file: Plugin, job: JobName, options: [TypedOption] = [],
    secrets: [GivenSecret] = [], privateAddresses: PrivateAddresses
  ) throws(OptionProblems) {
    var typed = JobConfig(typed: file.name, options: options)
    typed.secrets = secrets
    typed.allow.privateAddresses = privateAddresses
    do throws(OptionProblems) { hook = try typed.hook(with: file) } catch {
      throw OptionProblems(
        error.all.map { problem in
          var problem = problem
          problem.hook = HookName(file.manifest.name.text)
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

  /// The functions of the file that are never called, since a single run is neither one of several
  /// failures in a row nor a recovery.
  package var uncalled: [HookFunction] { [.onFailed, .onRecovered].filter(hook.has) }
}
