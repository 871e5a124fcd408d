import Foundation

/// The user of the tests, kept to the rights of files: root reads and writes what it may not, unless it
/// has given that up.
enum ObeyingUser {
  static let launcher: [String] =
    geteuid() == 0
    ? ["/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : []

  static let isAvailable =
    launcher.isEmpty || FileManager.default.isExecutableFile(atPath: launcher[0])
}
