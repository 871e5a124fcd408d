/// One key of a mapping of the config file: its name, the kind of its value, its summary, its default
/// and where the value is stored. The reader, the JSON Schema and the reference page all use it.
///
/// `Target` is the value into which the mapping is read. This value already has the defaults.
struct ConfigKey<Target>: Sendable {
  typealias Reading = @Sendable (inout ConfigReader, ConfigValue<Target>, inout Target) -> Void

  let entry: ConfigEntry
  /// Reads the value and stores it. After a mistake, the function reports it and leaves `Target`
  /// unchanged.
  let read: Reading

  var name: String { entry.name }

  /// Creates a key whose value has a common form. `store` receives the value if it is valid.
  init<Value>(
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

  /// Creates a key whose value has a form of its own. `read` also reports mistakes.
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
  private let places: [String: Int]

  init(prefix: String = "", _ keys: [ConfigKey<Target>]) {
    all = keys
    self.prefix = prefix
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
