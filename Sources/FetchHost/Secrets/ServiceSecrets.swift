import FetchModel
import Glibc

/// Where the service of the package looks for secrets, for root who sets them: it runs as a user of its
/// own, which can read nothing of root's.
package struct ServiceSecrets: Sendable {
  private let config: String
  /// Whether somebody has stored secrets where the service looks; which they are only it may read.
  package let areStored: Bool

  /// Where the unit of the service is installed: by the package, or by its administrator.
  static let units = [
    "/etc/systemd/system/fetchrun.service", "/usr/local/lib/systemd/system/fetchrun.service",
    "/usr/lib/systemd/system/fetchrun.service", "/lib/systemd/system/fetchrun.service",
  ]
  /// `StateDirectory=` and `XDG_STATE_HOME` of the unit.
  static let store = "/var/lib/fetchrun/secrets.json"
  private static let overridingVariable = "FETCHRUN_SECRETS"

  /// Nil where what is stored is for whoever types: another user than root, another config than that of
  /// the service, no installed service, or a place that `FETCHRUN_SECRETS` names.
  ///
  /// - Parameters:
  ///   - config: the path of the config in use.
  ///   - serviceConfig: that of the service.
  ///   - top: the folder that the units are looked for in, for tests.
  package init?(
    config: String?, serviceConfig: String, environment: [String: String], isRoot: Bool,
    top: String = ""
  ) {
    guard isRoot, let config, Self.isSame(config, serviceConfig),
      environment[Self.overridingVariable]?.isEmpty != false,
      Self.units.contains(where: { access(top + $0, F_OK) == 0 })
    else { return nil }
    self.config = serviceConfig
    areStored = access(top + Self.store, F_OK) == 0
  }

  private static func isSame(_ path: String, _ other: String) -> Bool {
    if path == other { return true }
    guard let real = realpath(path, nil) else { return false }
    defer { free(real) }
    return String(cString: real) == other
  }

  /// What to do instead of storing a secret: two files and one line.
  package func advice(_ name: String) -> String {
    let file = "\(config.folderPrefix)\(name)"
    return "the service does not read root's stored secrets: put the value into \(file) (mode 600),"
      + " add `LoadCredential=\(name):\(file)` below [Service] with `systemctl edit fetchrun`, and write"
      + " `{ credential: \(name) }` in \(config)"
  }
}
