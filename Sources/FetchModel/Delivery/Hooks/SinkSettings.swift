/// The settings of a kind of sink, and what the rest of the program must know about them.
package protocol SinkSettings: Equatable, Sendable {
  /// The key of a hook that has them, such as `webhook`.
  var word: String { get }
  /// The receiver as a log names it: a hostname, a file or a program, without anything secret that an
  /// address or an argument may have.
  var receiver: String { get }
  /// Where the secrets are that a delivery needs.
  var secretSources: [SecretSource] { get }
  /// The programs that a delivery itself starts, with their arguments.
  var commands: [[String]] { get }
  /// The same with `resolved` applied to each path of the config.
  func resolvingPaths(_ resolved: (String) -> String) -> Self
}

extension SinkSettings {
  package var secretSources: [SecretSource] { [] }
  package var commands: [[String]] { [] }
}
