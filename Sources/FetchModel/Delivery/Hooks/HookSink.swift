/// The destination of a hook's deliveries: the kind of sink and its settings.
///
/// Code for one kind of sink switches over the cases. All other code uses `settings`.
package enum HookSink: Equatable, Sendable {
  case webhook(WebhookSettings)
  case command(CommandSettings)
  case file(FeedFileSettings)
  case email(EmailSettings)
  case lua(LuaHookSettings)

  package var settings: any SinkSettings {
    switch self {
    case .webhook(let settings): settings
    case .command(let settings): settings
    case .file(let settings): settings
    case .email(let settings): settings
    case .lua(let settings): settings
    }
  }

  /// Returns the sink with absolute paths. The name of a program or a hook file stays unchanged if
  /// it has no slash. The program is then found through `PATH`, and the hook file in the plugin
  /// folders.
  package func resolvingPaths(_ resolved: (String) -> String) -> HookSink {
    switch self {
    case .webhook(let settings): .webhook(settings.resolvingPaths(resolved))
    case .command(let settings): .command(settings.resolvingPaths(resolved))
    case .file(let settings): .file(settings.resolvingPaths(resolved))
    case .email(let settings): .email(settings.resolvingPaths(resolved))
    case .lua(let settings): .lua(settings.resolvingPaths(resolved))
    }
  }

  package var word: String { settings.word }

  package var receiver: String { settings.receiver }

  package var secretSources: [SecretSource] { settings.secretSources }

  /// The programs that are started for a delivery or to read its secrets, with their arguments.
  package var commands: [[String]] {
    settings.commands + settings.secretSources.flatMap(\.commands)
  }
}

/// The settings of one kind of sink, with the facts that other code needs about the sink.
package protocol SinkSettings: Equatable, Sendable {
  /// The config key of the sink's kind, such as `webhook`.
  var word: String { get }
  /// The receiver as logs show it: a hostname, a file or a program, without secrets in addresses or
  /// arguments.
  var receiver: String { get }
  /// The sources of the secrets that are needed for a delivery.
  var secretSources: [SecretSource] { get }
  /// The programs that are started for a delivery, with their arguments. Programs that read secrets
  /// are not included.
  var commands: [[String]] { get }
  /// Returns the settings with absolute paths, made by `resolved`. Names that are looked up in
  /// folders, such as a program without a slash, stay unchanged.
  func resolvingPaths(_ resolved: (String) -> String) -> Self
}

extension SinkSettings {
  package var secretSources: [SecretSource] { [] }
  package var commands: [[String]] { [] }
}
