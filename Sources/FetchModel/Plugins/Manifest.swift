package import FetchValues

/// The description of a plugin or hook file, from the table that the file returns.
package struct Manifest: Equatable, Sendable {
  package var name: PluginName
  package var version: String
  package var summary: String?
  package var options: [OptionSpec] = []
  package var permissions = PermissionRequest()
  /// The address that the host requests before the plugin runs, as a URL or `{options.NAME}`. If
  /// the server's answer is unchanged, the plugin does not run. The host does not send this request
  /// without usable stored validators, or for a run that calls `on_transfer`.
  package var wakeOn: String?
  /// The recommended interval. A job's config may set another interval.
  package var interval: Interval?
  /// The window of a run or, in a hook file, of a call. It is `timeout` in the manifest. Without
  /// `timeout`, it is nil or, in a hook file, `HookFunction.usualWindow`. The config may set
  /// another window.
  package var window: Duration?
  package var items = ItemRules()
  package var isolation: Isolation = .shared
  /// The names of the functions in the table.
  package var functions: [String] = []

  /// The version of the plugin interface that this fetchrun supports.
  package static let apiVersion: Int64 = 1
  /// The plugin function that is called after a transfer.
  package static let transferEntry = "on_transfer"

  package init(name: PluginName, version: String) {
    self.name = name
    self.version = version
  }
}

/// One option in a plugin's manifest.
package struct OptionSpec: Equatable, Sendable {
  package var name: String
  package var kind: OptionKind = .string
  package var isRequired = false
  package var defaultValue: Value?
  package var choices: [Value] = []
  package var summary: String?
  /// An example value of the declared type, for messages and documentation.
  package var example: Value?

  package init(name: String) { self.name = name }
}

extension OptionSpec {
  /// An example value in the form for the command line and the config.
  package var exampleText: String { example.map(\.optionText) ?? kind.example }

  /// The plugin author's example value, in single quotes if a shell needs the quotes. If the author
  /// gave no example, this is the example of the option's type.
  package var quotedExample: String {
    example.map { ShellWord.quoted($0.optionText) } ?? kind.example
  }
}

extension Value {
  /// The value in the form for the command line. Strings are unchanged. Lists and tables are JSON
  /// with sorted keys. The text is empty if the value cannot be JSON.
  package var optionText: String {
    displayText ?? (try? JSONWriter.text(self, options: .init(sortsKeys: true))) ?? ""
  }
}

/// The type of a plugin's option. The raw values are those of `type` in a manifest.
package enum OptionKind: String, Sendable, CaseIterable {
  case string
  case url
  case integer
  case number
  case boolean
  case list
  case table
}

extension OptionKind {
  /// Whether a value has this type. Any string is accepted as a URL here. `problem(of:)` checks the
  /// URL.
  package func accepts(_ value: Value) -> Bool {
    switch self {
    case .string, .url: value.stringValue != nil
    case .integer: value.integerValue != nil
    case .number: value.numberValue != nil
    case .boolean: value.boolValue != nil
    case .list: value.arrayValue != nil
    case .table: value.objectValue != nil
    }
  }

  /// Returns the reason why the value of a `url` option is not a valid address; nil for a valid
  /// address and for all other types.
  package func problem(of value: Value) -> String? {
    guard self == .url, let text = value.stringValue else { return nil }
    do throws(Failure) {
      _ = try TargetURL.server(of: text)
      return nil
    } catch {
      return error.message
    }
  }

  /// An example of a value for messages, in the form for the command line.
  package var example: String {
    switch self {
    case .string: "text"
    case .url: "https://example.org/feed.xml"
    case .integer: "10"
    case .number: "0.5"
    case .boolean: "true or false"
    case .list: "[\"a\",\"b\"] or a,b"
    case .table: "{\"key\":\"value\"}"
    }
  }
}

/// The rule for whether runs of one plugin may share a worker process.
package enum Isolation: String, Sendable, CaseIterable {
  /// Runs of the same plugin (same `PluginSource.contentHash`) may share a worker if their
  /// permissions other than hostnames are the same (`ExtraGrant`). Each run has its own Lua state.
  case shared
  /// Every run has its own worker process.
  case run
}
