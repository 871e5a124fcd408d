import FetchModel
import Glibc

/// The facts about the packaged service that matter when root stores a secret. The service runs as
/// a user of its own, which cannot read the stored secrets of root.
package struct ServiceSecrets: Sendable {
  private let config: String
  /// Whether the service has its own file of stored secrets.
  package let areStored: Bool

  /// The places where the package or an administrator installs the unit of the service.
  static let units = [
    "/etc/systemd/system/fetchrun.service", "/usr/local/lib/systemd/system/fetchrun.service",
    "/usr/lib/systemd/system/fetchrun.service", "/lib/systemd/system/fetchrun.service",
  ]
  /// The service's file of stored secrets, according to `StateDirectory=` and `XDG_STATE_HOME` in
  /// the unit.
  static let store = "/var/lib/fetchrun/secrets.json"
  private static let overridingVariable = "FETCHRUN_SECRETS"

  /// Creates the facts. Nil unless root uses the service's config, a service is installed, and
  /// `FETCHRUN_SECRETS` is unset or empty.
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

  /// Returns advice on how to give a secret to the service as a systemd credential.
  package func advice(_ name: String) -> String {
    let file = "\(config.folderPrefix)\(name)"
    return "the service does not read root's stored secrets: put the value into \(file) (mode 600),"
      + " add `LoadCredential=\(name):\(file)` below [Service] with `systemctl edit fetchrun`, and write"
      + " `{ credential: \(name) }` in \(config)"
  }
}
