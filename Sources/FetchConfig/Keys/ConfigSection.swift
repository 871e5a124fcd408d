/// A mapping of the config file, with its keys as the reference page and the schema need them.
struct ConfigSection: Sendable {
  /// The title of the mapping's table on the reference page; nil if the keys are in another table.
  var title: String?
  /// The name of the mapping among the definitions of the schema; nil for the whole file.
  var definition: String?
  var entries: [ConfigEntry]

  init<Target>(_ title: String, _ definition: String?, _ keys: ConfigKeys<Target>) {
    (self.title, self.definition, entries) = (title, definition, keys.entries)
  }

  /// Creates a section with the keys of another mapping, except the keys that only that mapping
  /// has.
  init<Target>(_ definition: String, derivedFrom keys: ConfigKeys<Target>) {
    (title, self.definition, entries) = (nil, definition, keys.entries.filter { !$0.isOwn })
  }

  /// All mappings of the config file, in the order of the reference page.
  static let all: [ConfigSection] =
    [
      ConfigSection("The file", nil, FileKeys.all),
      ConfigSection("A job", "job", JobKeys.all),
      ConfigSection("defaults", derivedFrom: JobKeys.all),
      ConfigSection("Pushes to a job", "push", PushKeys.all),
      ConfigSection("What a job may touch", "allow", AllowKeys.all),
      ConfigSection("A job's files", "files", FilesKeys.all),
      ConfigSection("The budget", "budget", BudgetKeys.all),
      ConfigSection("quota", derivedFrom: BudgetKeys.all),
      ConfigSection("A lane", "lane", LaneKeys.all),
      ConfigSection("Transfers", "transfers", TransfersKeys.all),
      ConfigSection("What is kept", "keep", KeepKeys.all),
      ConfigSection("The web process", "web", WebKeys.all),
      ConfigSection("Its reverse proxies", "webproxy", WebProxyKeys.all),
      ConfigSection("Its metrics", "webmetrics", WebMetricsKeys.all),
      ConfigSection("A secret", "secret", SecretKeys.all),
      ConfigSection("An access token", "oauth", OAuthKeys.all),
      ConfigSection("A hook", "hook", HookKeys.all),
    ] + SinkKeys.all.map(\.section) + [
      ConfigSection("What a hook file may touch", "hookallow", AllowKeys.ofHook)
    ]
}
