/// The settings of a kind of sink, with the facts that other code needs about them.
package protocol SinkSettings: Equatable, Sendable {
  /// The config key of such a hook, such as `webhook`.
  var word: String { get }
  /// The receiver for logs: a hostname, a file or a program, without secrets from an address or an
  /// argument.
  var receiver: String { get }
  /// The sources of the secrets that a delivery needs.
  var secretSources: [SecretSource] { get }
  /// The programs that a delivery itself starts, with their arguments.
  var commands: [[String]] { get }
  /// Returns the settings with `resolved` applied to each path of the config.
  func resolvingPaths(_ resolved: (String) -> String) -> Self
}

extension SinkSettings {
  package var secretSources: [SecretSource] { [] }
  package var commands: [[String]] { [] }
}
