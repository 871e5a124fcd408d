import FetchModel
import Glibc

/// The secrets of the packaged service, for root who sets them. The service runs as a user of its
/// own, which can read nothing of root's.
package struct ServiceSecrets: Sendable {
  private let config: String
  /// Whether secrets are stored where the service looks; only the service may read which.
  package let areStored: Bool

  /// The places where the package or an administrator installs the unit of the service.
  static let units = [
    "/etc/systemd/system/fetchrun.service", "/usr/local/lib/systemd/system/fetchrun.service",
    "/usr/lib/systemd/system/fetchrun.service", "/lib/systemd/system/fetchrun.service",
  ]
  /// `StateDirectory=` and `XDG_STATE_HOME` of the unit.
  static let store = "/var/lib/fetchrun/secrets.json"
  private static let overridingVariable = "FETCHRUN_SECRETS"

  /// Creates it if a secret that is set here would not reach the service. Nil for another user than
  /// root, another config than the service's, a missing service, or a place that `FETCHRUN_SECRETS`
  /// names.
  ///
  /// - Parameters:
  ///   - config: the path of the config in use.
  ///   - serviceConfig: the path of the service's config.
  ///   - top: the folder in which the units are looked up, for tests.
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

  /// Returns the advice in place of storing a secret: two files and one line.
  package func advice(_ name: String) -> String {
    let file = "\(config.folderPrefix)\(name)"
    return "the service does not read root's stored secrets: put the value into \(file) (mode 600),"
      + " add `LoadCredential=\(name):\(file)` below [Service] with `systemctl edit fetchrun`, and write"
      + " `{ credential: \(name) }` in \(config)"
  }
}
