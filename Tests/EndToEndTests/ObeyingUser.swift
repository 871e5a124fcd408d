import Foundation

/// The user of the tests, restricted to the permissions of files: root reads and writes forbidden
/// files unless it gives up that right.
enum ObeyingUser {
  static let launcher: [String] =
    geteuid() == 0
    ? ["/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : []

  static let isAvailable =
    launcher.isEmpty || FileManager.default.isExecutableFile(atPath: launcher[0])
}
