package import FetchModel

/// The contents of the config: the jobs, what they share, and the paths.
package struct Config: Equatable, Sendable {
  /// The path of the store; nil for the default.
  package var store: String?
  /// Additional plugin folders, searched before the default ones.
  package var pluginFolders: [String] = []
  /// Whether plugins run if the kernel refuses to confine them.
  package var sandbox = SandboxRule.required
  package var budget = BudgetLimits()
  package var lanes = LaneRules()
  package var transfers = TransferSettings()
  /// The secrets that jobs may use by name, each once.
  package var secrets: [GivenSecret] = []
  /// The path of the file with the key of stored secrets; nil for the default.
  package var secretsKey: String?
  /// How much the store keeps, and for how long.
  package var keep = Retention()
  /// The number of failed runs of a job whose answers are kept.
  package var keptFailureCount = keptFailureCountUsual
  /// The hooks of all jobs, of plugins and of named jobs; jobs may have additional ones.
  package var hooks: [HookConfig] = []
  /// The rule of first runs in `defaults`, for commands that add jobs; nil if it has none.
  package var firstRun: FirstRunRule?
  /// The `allow_private` of the file and of its `defaults`, for commands that run or add a job.
  package var privateAddresses = PrivateAddresses.none
  /// The jobs of the file, then those of `jobs.d`.
  package var jobs: [JobConfig] = []
  /// The file it was read from, for messages.
  package var file = ""

  package static let keptFailureCountUsual = 3
  package static let keptFailureCountMax = 100

  package init() {}

  /// The environment variables that are the source of any secret.
  package var secretVariables: Set<String> {
    let sources =
      secrets.map(\.source) + jobs.flatMap(\.secrets).map(\.source)
      + allHooks.flatMap(\.sink.secretSources)
    return Set(sources.flatMap(\.variables))
  }

  /// The hooks of the file, then those of each job, in the order of their deliveries.
  package var allHooks: [HookConfig] { hooks + jobs.flatMap(\.hooks) }
}
