package import FetchModel

/// One configured use of a hook file: all that a call of its functions needs.
package struct LuaHook: Equatable, Sendable {
  /// As messages name it.
  package var name: String
  package var file: Plugin
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

extension JobDefinition {
  /// The hook with its options checked and its grant worked out, as a job's are.
  package func hook(with file: Plugin) throws(OptionProblems) -> LuaHook {
    var definition = self
    definition.name = file.manifest.name
    let job = try definition.job(with: file)
    return LuaHook(
      name: file.manifest.name, file: file, options: job.options, grant: job.grant,
      secretSources: job.secretSources,
      limits: job.limits, isolation: job.isolation)
  }
}
