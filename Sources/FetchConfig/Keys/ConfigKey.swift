/// One key of a mapping of the config file: its description, and the function that reads its value.
/// The reader, the JSON Schema and the reference page all use this type.
///
/// `Target` is the type of the value into which the mapping is read. A key is a class, so that each
/// value of a config file only refers to its key.
final class ConfigKey<Target>: Sendable {
  typealias Reading = @Sendable (inout ConfigReader, ConfigValue<Target>, inout Target) -> Void

  let entry: ConfigEntry
  /// The function that reads the value, reports its mistakes, and stores it.
  let read: Reading

  var name: String { entry.name }

  /// Creates a key whose value has the given form. `store` receives the value, unless the form's
  /// function returns nil.
  convenience init<Value>(
    _ name: String, _ form: ConfigForm<Value>, _ summary: String,
    default defaultText: String? = nil,
    isRequired: Bool = false, isOwn: Bool = false,
    store: @escaping @Sendable (inout Target, Value) -> Void
  ) {
    self.init(
      name, as: form.kind, summary, default: defaultText, isRequired: isRequired, isOwn: isOwn
    ) { reader, value, target in
      if let value = form.read(&reader, value.node, value.path) { store(&target, value) }
    }
  }

  /// Creates a key whose value is read by `read`. `read` also reports mistakes.
  init(
    _ name: String, as kind: ConfigKind, _ summary: String, default defaultText: String? = nil,
    isRequired: Bool = false, isOwn: Bool = false, read: @escaping Reading
  ) {
    entry = ConfigEntry(
      name: name, kind: kind, summary: summary, defaultText: defaultText, isRequired: isRequired,
      isOwn: isOwn)
    self.read = read
  }
}

/// A key with its value in a config file.
struct ConfigValue<Target> {
  var key: ConfigKey<Target>
  /// The key's name in messages, such as `webhook.url`.
  var path: String
  var keyNode: Node
  var node: Node

  var name: String { key.name }
}

/// The keys of one mapping, in the order of the reference page.
struct ConfigKeys<Target>: Sendable {
  let all: [ConfigKey<Target>]
  /// The prefix of the keys' names in messages, such as `webhook.`.
  let prefix: String
  /// The end of the message about an unknown key that resembles none of the keys.
  let unknownAdvice: String
  private let places: [String: Int]

  init(prefix: String = "", _ keys: [ConfigKey<Target>], unknownAdvice: String = "") {
    all = keys
    self.prefix = prefix
    self.unknownAdvice = unknownAdvice
    places = Dictionary(
      keys.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> ConfigKey<Target>? { places[name].map { all[$0] } }

  var entries: [ConfigEntry] { all.map(\.entry) }
}

extension Array {
  /// The value of the key with the given name; nil if the mapping has no such key.
  subscript<Target>(_ name: String) -> ConfigValue<Target>? where Element == ConfigValue<Target> {
    first { $0.name == name }
  }
}

/// The description of one key for the schema and the reference page.
struct ConfigEntry: Sendable {
  var name: String
  var kind: ConfigKind
  /// The description of the key's value, as part of a sentence without a full stop.
  var summary: String
  /// The default value, or a phrase that describes it, such as `the plugin's, otherwise 30s`; nil
  /// if there is none.
  var defaultText: String?
  var isRequired = false
  /// Whether derived mappings leave out the key. For example, `defaults` has no `name`, and a job's
  /// budget has no `runs`.
  var isOwn = false
}

/// A mapping of the config file, with the descriptions of its keys for the reference page and the
/// schema.
struct ConfigSection: Sendable {
  /// The title of the mapping's table on the reference page; nil if the mapping has no table of its
  /// own.
  var title: String?
  /// The name of the mapping among the definitions of the schema; nil for the whole file.
  var definition: String?
  var entries: [ConfigEntry]

  init<Target>(_ title: String, _ definition: String?, _ keys: ConfigKeys<Target>) {
    (self.title, self.definition, entries) = (title, definition, keys.entries)
  }

  /// Creates a section with the keys of another mapping, without the keys for which `isOwn` is
  /// true.
  init<Target>(_ definition: String, derivedFrom keys: ConfigKeys<Target>) {
    (title, self.definition, entries) = (nil, definition, keys.entries.filter { !$0.isOwn })
  }

  /// The sections, in the order of the reference page.
  static let all: [ConfigSection] =
    [
      ConfigSection("The file", nil, FileKeys.all),
      ConfigSection("A job", "job", JobKeys.all),
      ConfigSection("defaults", derivedFrom: JobKeys.all),
      ConfigSection("Pushes to a job", "push", PushKeys.all),
      ConfigSection("The permissions of a job", "allow", AllowKeys.all),
      ConfigSection("A job's files", "files", FilesKeys.all),
      ConfigSection("The budget", "budget", BudgetKeys.all),
      ConfigSection("quota", derivedFrom: BudgetKeys.all),
      ConfigSection("A lane", "lane", LaneKeys.all),
      ConfigSection("Transfers", "transfers", TransfersKeys.all),
      ConfigSection("Retention", "keep", KeepKeys.all),
      ConfigSection("The web process", "web", WebKeys.all),
      ConfigSection("The reverse proxies of the web process", "webproxy", WebProxyKeys.all),
      ConfigSection("The metrics of the web process", "webmetrics", WebMetricsKeys.all),
      ConfigSection("A secret", "secret", SecretKeys.all),
      ConfigSection("An access token", "oauth", OAuthKeys.all),
      ConfigSection("A hook", "hook", HookKeys.all),
    ] + SinkKeys.all.map(\.section) + [
      ConfigSection("The permissions of a hook file", "hookallow", AllowKeys.ofHook)
    ]
}
