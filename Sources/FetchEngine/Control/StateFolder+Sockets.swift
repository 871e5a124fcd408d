/// The sockets of the processes of a store on this machine: see `ControlSocketPath`.
extension StateFolder {
  /// Returns the path on which the daemon of the store listens.
  package func daemonSocket() throws(ControlError) -> String {
    try ControlSocketPath.of(store: socketName)
  }

  /// The paths on which a daemon of the store may listen.
  package var daemonSockets: [String] { ControlSocketPath.candidates(store: socketName) }

  /// Returns the path for a command that holds the store until its transfers have ended.
  package func transferSocket() throws(ControlError) -> String {
    try ControlSocketPath.of(store: transferSocketName)
  }

  /// The paths on which such a command may listen.
  package var transferSockets: [String] {
    ControlSocketPath.candidates(store: transferSocketName)
  }
}
