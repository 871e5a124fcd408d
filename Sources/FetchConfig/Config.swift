package import FetchModel

/// The contents of the config: the jobs, the hooks, and the settings that are not about a single
/// job.
package struct Config: Equatable, Sendable {
  /// The path of the store, or the address of its database; nil for the default.
  package var store: String?
  /// The source of the database password.
  package var storePassword: SecretSource?
  /// Additional plugin folders, which are searched before the default folders.
  package var pluginFolders: [String] = []
  /// The rule for whether plugins run if the kernel refuses to confine them.
  package var sandbox = SandboxRule.required
  package var budget = BudgetLimits()
  package var lanes = LaneRules()
  package var transfers = TransferSettings()
  /// The top-level secrets, which all jobs and hook files may use by name. No two have the same
  /// name.
  package var secrets: [GivenSecret] = []
  /// The path of the file with the key that encrypts stored secrets; nil for the default.
  package var secretsKey: String?
  /// The rules for how much data the store keeps, and for how long.
  package var keep = Retention()
  /// The settings of the web process.
  package var web = WebSettings()
  /// The maximum number of failed runs per job whose answers are kept, so that the runs can be
  /// replayed.
  package var keptFailureCount = keptFailureCountUsual
  /// The hooks for all jobs, for the jobs of named plugins, and for named jobs. A job may have
  /// additional hooks.
  package var hooks: [HookConfig] = []
  /// The first-run rule in `defaults`; nil if `defaults` has none.
  package var firstRun: FirstRunRule?
  /// The private addresses that the top-level `allow_private` and `defaults` allow.
  package var privateAddresses = PrivateAddresses.none
  /// The jobs in the main file, followed by those in `jobs.d`.
  package var jobs: [JobConfig] = []
  /// The path of the config file, for messages.
  package var file = ""

  package static let keptFailureCountUsual = 3
  package static let keptFailureCountMax = 100

  package init() {}

  /// The names of the environment variables that contain the database password, the top-level
  /// secrets, or the secrets of jobs and hooks.
  package var secretVariables: Set<String> {
    let sources =
      secrets.map(\.source) + [storePassword].compactMap(\.self)
      + jobs.flatMap(\.secrets).map(\.source)
      + jobs.compactMap(\.push?.secret)
      + allHooks.flatMap(\.sink.secretSources)
    return Set(sources.flatMap(\.variables))
  }

  /// All hooks: the top-level hooks, then the hooks of each job.
  package var allHooks: [HookConfig] {
    var all = hooks
    // A loop over the elements instead of the indices would copy each job.
    for index in jobs.indices where !jobs[index].hooks.isEmpty { all += jobs[index].hooks }
    return all
  }
}
