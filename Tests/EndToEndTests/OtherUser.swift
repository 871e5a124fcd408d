import Foundation

/// A user that owns nothing here.
enum OtherUser: String {
  case nobody = "65534"
  case stranger = "65533"

  /// Starts a program as that user.
  var launcher: [String] {
    ["/usr/bin/setpriv", "--reuid", rawValue, "--regid", rawValue, "--clear-groups"]
  }

  /// Only root can change to another user, who must be able to reach the program.
  static let isAvailable: Bool = {
    let command = nobody.launcher + [Program.executable.path, "--version"]
    return geteuid() == 0 && (try? Namespace.run(command[0], Array(command.dropFirst()))) == 0
  }()

  /// Programs of such a user read plugins and start their own workers. A checkout in a home of the
  /// mode 0700, as root's is on Debian, prevents both.
  static let canReadTheCheckout: Bool = {
    let worker = Program.executable.deletingLastPathComponent().appending(path: "fetchrun-worker")
    let words =
      nobody.launcher + ["/usr/bin/env", "test", "-x", worker.path, "-a", "-r"]
      + [Program.top.path + "/plugins/rss.lua"]
    return isAvailable && (try? Namespace.run(words[0], Array(words.dropFirst()))) == 0
  }()
}
