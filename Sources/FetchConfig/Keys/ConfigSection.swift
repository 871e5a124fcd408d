/// A mapping of the config file: its keys in the form of the reference page and the schema.
struct ConfigSection: Sendable {
  /// The title of its table on the page; nil if its keys are in another table.
  var title: String?
  /// Its name among the definitions of the schema; nil for the whole file.
  var definition: String?
  var entries: [ConfigEntry]

  init<Target>(_ title: String, _ definition: String?, _ keys: ConfigKeys<Target>) {
    (self.title, self.definition, entries) = (title, definition, keys.entries)
  }

  /// Creates a section with the same keys, except those of the other mapping alone.
  init<Target>(_ definition: String, derivedFrom keys: ConfigKeys<Target>) {
    (title, self.definition, entries) = (nil, definition, keys.entries.filter { !$0.isOwn })
  }

  /// All sections, in the order of the page.
  static let all: [ConfigSection] =
    [
      ConfigSection("The file", nil, FileKeys.all),
      ConfigSection("A job", "job", JobKeys.all),
      ConfigSection("defaults", derivedFrom: JobKeys.all),
      ConfigSection("What a job may touch", "allow", AllowKeys.all),
      ConfigSection("A job's files", "files", FilesKeys.all),
      ConfigSection("The budget", "budget", BudgetKeys.all),
      ConfigSection("quota", derivedFrom: BudgetKeys.all),
      ConfigSection("A lane", "lane", LaneKeys.all),
      ConfigSection("Transfers", "transfers", TransfersKeys.all),
      ConfigSection("What is kept", "keep", KeepKeys.all),
      ConfigSection("A secret", "secret", SecretKeys.all),
      ConfigSection("An access token", "oauth", OAuthKeys.all),
      ConfigSection("A hook", "hook", HookKeys.all),
    ] + SinkKeys.all.map(\.section) + [
      ConfigSection("What a hook file may touch", "hookallow", AllowKeys.ofHook)
    ]
}
