package import FetchConfig
package import FetchModel
package import FetchValues

/// One configured use of a hook file with everything that a call needs.
package struct LuaHook: Equatable, Sendable {
  /// The name of the hook in messages.
  package var name: HookName
  package var file: Plugin
  /// The requests of the file, and whether a file with more requests must wait for approval.
  package var claim: GrantRule.Claim
  /// The values of all declared options that have a value.
  package var options: ValueObject
  package var grant: Grant
  /// The sources of the granted secrets by name.
  package var secretSources: [String: SecretSource]
  package var limits: RunLimits
  package var isolation: Isolation

  package func has(_ function: HookFunction) -> Bool {
    file.manifest.functions.contains(function.rawValue)
  }
}

extension LuaHook {
  /// Creates a hook whose file does not load. Such a hook is not called, and its deliveries wait.
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
  /// Returns the hook with its options checked and its grant determined, as for a job.
  package func hook(with file: Plugin) throws(OptionProblems) -> LuaHook {
    var config = self
    if name.isEmpty { config.name = JobName(file.manifest.name) }
    return LuaHook(try config.job(with: file))
  }
}
