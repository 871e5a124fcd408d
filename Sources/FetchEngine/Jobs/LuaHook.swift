package import FetchModel
package import FetchValues

/// One configured use of a hook file: all that a call of its functions needs.
package struct LuaHook: Equatable, Sendable {
  /// As messages name it.
  package var name: String
  package var file: Plugin
  /// What the file asks for, and whether it is to wait for its user's word where that is more.
  package var claim: GrantRule.Claim
  /// Every declared option that has a value.
  package var options: ValueObject
  package var grant: Grant
  /// Where the values of the granted secrets are, by their names.
  package var secretSources: [String: SecretSource]
  package var limits: RunLimits
  package var isolation: Isolation

  package func has(_ function: HookFunction) -> Bool {
    file.manifest.functions.contains(function.rawValue)
  }
}

extension LuaHook {
  /// One whose file does not load: it is not called, and what it is to be told waits.
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

  /// One that is granted what a job of that file would be.
  init(_ job: Job) {
    self.init(
      name: job.name, file: job.plugin, claim: job.claim, options: job.options, grant: job.grant,
      secretSources: job.secretSources, limits: job.limits, isolation: job.isolation)
  }
}

extension JobDefinition {
  /// The hook with its options checked and its grant worked out, as a job's are.
  package func hook(with file: Plugin) throws(OptionProblems) -> LuaHook {
    var definition = self
    definition.name = name ?? file.manifest.name
    return LuaHook(try definition.job(with: file))
  }
}
