/// The sockets of the processes of a store on this machine: see `ControlSocketPath`.
extension StateFolder {
  /// The path at which the daemon of the store listens.
  package func daemonSocket() throws(ControlError) -> String {
    try ControlSocketPath.of(store: socketName)
  }

  /// The paths at which a daemon of the store may listen.
  package var daemonSockets: [String] { ControlSocketPath.candidates(store: socketName) }

  /// The path for a command that has the store until its transfers have ended.
  package func transferSocket() throws(ControlError) -> String {
    try ControlSocketPath.of(store: transferSocketName)
  }

  /// The paths at which such a command may listen.
  package var transferSockets: [String] {
    ControlSocketPath.candidates(store: transferSocketName)
  }
}
