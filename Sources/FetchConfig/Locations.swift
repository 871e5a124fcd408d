import FetchModel
import FetchValues

/// The paths of fetchrun's files, from the environment (XDG Base Directory Specification 0.8). A
/// path on the command line or in the config has precedence over these paths. `secretsKeyOverride`
/// is an exception: it has precedence over the config.
package struct Locations: Equatable, Sendable {
  /// The path of the store, or the address of its database: `FETCHRUN_STORE`, otherwise
  /// `$XDG_STATE_HOME/fetchrun/store.sqlite`.
  package var store: String
  /// The folder of fetchrun's data: `$XDG_STATE_HOME/fetchrun`.
  package var stateFolder: String
  /// The folders that are searched, in this order, for a plugin that the user names without a path.
  package var pluginFolders: [String]
  /// The folder whose contents can be deleted at any time: `$XDG_CACHE_HOME/fetchrun`.
  package var cacheFolder: String
  /// The path of the file with the encrypted stored secrets: `FETCHRUN_SECRETS`, otherwise
  /// `$XDG_STATE_HOME/fetchrun/secrets.json`.
  package var secrets: String
  /// The path of the key file from the variable `FETCHRUN_SECRETS_KEY`; nil if the variable is
  /// missing or empty. This path overrides the path in the config.
  package var secretsKeyOverride: String?
  /// The default path of the key file: `$XDG_CONFIG_HOME/fetchrun/secrets.key`.
  package var secretsKeyDefault: String
  /// The paths that are searched for the config file if the user names none, in this order.
  package var configFiles: [String]

  /// - Parameters:
  ///   - executable: the running program's own path, with links resolved: see `shippedPlugins`.
  ///   - home: the user's home folder, which is used if `HOME` is missing or empty.
  ///   - isRoot: whether the user is root. For root, the config of the service is the last of
  ///     `configFiles`.
  package init(
    environment: [String: String], executable: String, home: String? = nil, isRoot: Bool = false
  ) {
    let home = environment["HOME"].flatMap(Self.nonEmpty) ?? home ?? ""
    func folder(_ name: String, _ fallback: String) -> String {
      // The specification calls relative paths in these variables invalid: they must be ignored.
      let value = environment[name].flatMap(Self.nonEmpty)
      return (value?.isAbsolutePath == true ? value! : home + "/" + fallback) + "/fetchrun"
    }
    stateFolder = folder("XDG_STATE_HOME", ".local/state")
    store = environment["FETCHRUN_STORE"].flatMap(Self.nonEmpty) ?? stateFolder + "/store.sqlite"
    secrets =
      environment["FETCHRUN_SECRETS"].flatMap(Self.nonEmpty) ?? stateFolder + "/secrets.json"
    secretsKeyOverride = environment["FETCHRUN_SECRETS_KEY"].flatMap(Self.nonEmpty)
    secretsKeyDefault = folder("XDG_CONFIG_HOME", ".config") + "/secrets.key"
    cacheFolder = folder("XDG_CACHE_HOME", ".cache")
    let named = environment["FETCHRUN_PLUGINS"].flatMap(Self.nonEmpty)
    pluginFolders =
      (named?.split(separator: ":").map(String.init) ?? [])
      + ["plugins", folder("XDG_DATA_HOME", ".local/share") + "/plugins"]
      + (Self.shippedPlugins(executable).map { [$0] } ?? [])
    configFiles = ["fetchrun.yaml", folder("XDG_CONFIG_HOME", ".config") + "/fetchrun.yaml"]
    if isRoot { configFiles.append(Self.systemConfig) }
  }

  /// Returns the folder of the plugins that are shipped with the program; nil if the path of the
  /// executable is relative. If SwiftPM built the program, as in `.build/TRIPLE/release/fetchrun`
  /// or `.build/debug/fetchrun`, the result is the folder `plugins` of the checkout. Otherwise the
  /// result is `share/fetchrun/plugins` beside the folder of the executable.
  private static func shippedPlugins(_ executable: String) -> String? {
    guard executable.isAbsolutePath else { return nil }
    let names = executable.pathNames
    if let build = names.lastIndex(of: ".build"), (3...4).contains(names.count - build),
      ["debug", "release"].contains(names[names.count - 2])
    {
      return (Array(names[..<build]) + ["plugins"]).absolutePath
    }
    return (Array(names.dropLast(2)) + ["share", "fetchrun", "plugins"]).absolutePath
  }

  /// The path of the config of the system's service.
  package static let systemConfig = "/etc/fetchrun/fetchrun.yaml"

  private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}
