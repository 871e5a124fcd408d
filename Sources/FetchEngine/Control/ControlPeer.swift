import Glibc

/// Who may talk to whom over the control socket, whatever the modes of files say.
enum ControlPeer {
  /// A daemon hears its own user and root.
  static func isAllowed(_ user: uid_t?, owner: uid_t) -> Bool { user == owner || user == 0 }

  /// A program believes a daemon of its own user or of root; root has asked for what it gets.
  static func isTrusted(_ daemon: uid_t?, by user: uid_t) -> Bool {
    user == 0 || daemon == user || daemon == 0
  }
}
