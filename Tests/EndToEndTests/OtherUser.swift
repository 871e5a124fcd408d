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
}
