package import FetchModel
package import FetchValues

/// One configured use of a hook file with everything that a call needs.
package struct LuaHook: Equatable, Sendable {
  /// The name in messages.
  package var name: String
  package var file: Plugin
  /// The file's requests, and whether more requests must wait for approval.
  package var claim: GrantRule.Claim
  /// The values of all declared options that have one.
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
  /// Creates a hook whose file does not load: it is not called, and its deliveries wait.
  init(
    failing failure: Failure, _ name: String, file: String, functions: [String]
  ) {
    let file = Plugin(standingInForHook: file, failure, functions: functions)
    self.init(
      name: name, file: file,
      claim: GrantRule.Claim(plugin: file.name, hash: [], asked: file.asked),
      options: ValueObject(), grant: Grant(), secretSources: [:], limits: RunLimits(),
      isolation: .shared)
  }

  /// Creates a hook with the grant that a job of that file would have.
  init(_ job: Job) {
    self.init(
      name: job.name, file: job.plugin, claim: job.claim, options: job.options, grant: job.grant,
      secretSources: job.secretSources, limits: job.limits, isolation: job.isolation)
  }
}

extension JobDefinition {
  /// Returns the hook with its options checked and its grant determined, as for a job.
  package func hook(with file: Plugin) throws(OptionProblems) -> LuaHook {
    var definition = self
    definition.name = name ?? file.manifest.name
    return LuaHook(try definition.job(with: file))
  }
}
