import Foundation

/// A user that owns none of the tests' files.
enum OtherUser: String {
  case nobody = "65534"
  case stranger = "65533"

  /// The launcher that starts a program as this user.
  var launcher: [String] {
    ["/usr/bin/setpriv", "--reuid", rawValue, "--regid", rawValue, "--clear-groups"]
  }

  /// Whether this process runs as root, and the user `nobody` can run the program.
  static let isAvailable: Bool = {
    let command = nobody.launcher + [Program.executable.path, "--version"]
    return geteuid() == 0 && (try? Namespace.run(command[0], Array(command.dropFirst()))) == 0
  }()

  /// Whether the other user can read the plugin rss of the checkout and start the tested worker. A
  /// checkout in a home folder with the mode 0700, such as root's on Debian, cannot be read.
  static let canReadTheCheckout: Bool = {
    let worker = Program.executable.deletingLastPathComponent().appending(path: "fetchrun-worker")
    let words =
      nobody.launcher + ["/usr/bin/env", "test", "-x", worker.path, "-a", "-r"]
      + [Program.top.path + "/plugins/rss.lua"]
    return isAvailable && (try? Namespace.run(words[0], Array(words.dropFirst()))) == 0
  }()
}
