/// The sockets of the processes that use a store on this machine: see `ControlSocketPath`.
extension StateFolder {
  /// Returns the path on which the daemon of the store listens.
  package func daemonSocket() throws(ControlError) -> String {
    try ControlSocketPath.of(store: socketName)
  }

  /// The paths on which a daemon of the store may listen.
  package var daemonSockets: [String] { ControlSocketPath.candidates(store: socketName) }

  /// Returns the path at which a command listens while it holds the store and waits for its
  /// transfers.
  package func transferSocket() throws(ControlError) -> String {
    try ControlSocketPath.of(store: transferSocketName)
  }

  /// The paths on which a command that holds the store may listen.
  package var transferSockets: [String] {
    ControlSocketPath.candidates(store: transferSocketName)
  }

  /// Returns the path on which the web process of the store listens.
  package func webSocket() throws(ControlError) -> String {
    try ControlSocketPath.of(store: socketName, suffix: ControlSocketPath.webSuffix)
  }

  /// The paths on which a web process of the store may listen.
  package var webSockets: [String] {
    ControlSocketPath.candidates(store: socketName, suffix: ControlSocketPath.webSuffix)
  }
}
