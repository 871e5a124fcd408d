/// The settings of one kind of sink, with the facts that other code needs about the sink.
package protocol SinkSettings: Equatable, Sendable {
  /// The config key of the sink's kind, such as `webhook`.
  var word: String { get }
  /// The receiver as logs show it: a hostname, a file or a program, without secrets in addresses or
  /// arguments.
  var receiver: String { get }
  /// The sources of the secrets that are needed for a delivery.
  var secretSources: [SecretSource] { get }
  /// The programs that are started for a delivery, with their arguments, except those that read
  /// secrets.
  var commands: [[String]] { get }
  /// Returns the settings after applying `resolved` to each path that the config gives.
  func resolvingPaths(_ resolved: (String) -> String) -> Self
}

extension SinkSettings {
  package var secretSources: [SecretSource] { [] }
  package var commands: [[String]] { [] }
}
