import Foundation

/// A user that owns nothing here.
enum OtherUser: String {
  case nobody = "65534"
  case stranger = "65533"

  /// Starts a program as that user.
  var launcher: [String] {
    ["/usr/bin/setpriv", "--reuid", rawValue, "--regid", rawValue, "--clear-groups"]
  }

  /// Only root may turn into somebody else, who must be able to reach the program.
  static let isAvailable: Bool = {
    let command = nobody.launcher + [Program.executable.path, "--version"]
    return geteuid() == 0 && (try? Namespace.run(command[0], Array(command.dropFirst()))) == 0
  }()

  /// What such a user starts reads plugins and starts workers of its own; a checkout in a home of the
  /// mode 0700, as root's is on Debian, keeps it from both.
  static let canReadTheCheckout: Bool = {
    let worker = Program.executable.deletingLastPathComponent().appending(path: "fetchrun-worker")
    let words =
      nobody.launcher + ["/usr/bin/env", "test", "-x", worker.path, "-a", "-r"]
      + [Program.top.path + "/plugins/rss.lua"]
    return isAvailable && (try? Namespace.run(words[0], Array(words.dropFirst()))) == 0
  }()
}
