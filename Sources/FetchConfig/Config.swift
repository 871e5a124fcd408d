package import FetchModel

/// What the config says: the jobs, what they share, and where things lie.
package struct Config: Equatable, Sendable {
  /// Path of the store; nil for the default.
  package var store: String?
  /// Further plugin folders, looked through before the default ones.
  package var pluginFolders: [String] = []
  /// Whether plugins run where the kernel refuses to confine them.
  package var sandbox = SandboxRule.required
  package var budget = BudgetLimits()
  package var lanes = LaneRules()
  package var transfers = TransferSettings()
  /// Those that jobs may be given by name, each once.
  package var secrets: [GivenSecret] = []
  /// Path of the file with the key of stored secrets; nil for the default.
  package var secretsKey: String?
  /// How much the store keeps, and for how long.
  package var keep = Retention()
  /// Of how many failed runs of a job the answers are kept.
  package var keptFailureCount = keptFailureCountUsual
  /// Those of all jobs, of plugins and of named jobs; jobs may have further ones.
  package var hooks: [HookConfig] = []
  /// The rule of first runs in `defaults`, for verbs that add jobs; nil if it has none.
  package var firstRun: FirstRunRule?
  /// The `allow_private` of the file and of its `defaults`, for verbs that run or add a job.
  package var privateAddresses = PrivateAddresses.none
  /// Those of the file, then those of `jobs.d`.
  package var jobs: [JobConfig] = []
  /// The file it was read from, for messages.
  package var file = ""

  package static let keptFailureCountUsual = 3
  package static let keptFailureCountMax = 100

  package init() {}

  /// Environment variables that are the source of a secret, whoever has it.
  package var secretVariables: Set<String> {
    let sources =
      secrets.map(\.source) + jobs.flatMap(\.secrets).map(\.source)
      + allHooks.flatMap(\.sink.secretSources)
    return Set(sources.flatMap(\.variables))
  }

  /// The file's, then those of each job, in the order in which they are told.
  package var allHooks: [HookConfig] { hooks + jobs.flatMap(\.hooks) }
}
