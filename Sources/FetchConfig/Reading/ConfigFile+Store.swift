package import FetchModel
import FetchValues

extension ConfigFile {
  /// Returns the settings of the store. If possible, parses only the part of the config before the
  /// jobs: ten thousand jobs take a fifth of a second to parse.
  ///
  /// Throws an error if there is no readable config. Mistakes in the config are errors only if the
  /// path of the store is uncertain, or if a program returns the password. Otherwise
  /// `ConfiguredStore.problems` contains the mistakes that were found.
  package static func store(
    _ named: String?, locations: Locations, environment: [String: String]
  ) throws(ConfigProblems) -> ConfiguredStore {
    if let path = path(named, locations: locations), let text = try? text(of: path) {
      if let head = head(of: text) {
        if head.allSatisfy(\.isWhitespace) { return ConfiguredStore() }
        if let store = store(in: String(head), of: path, environment) { return store }
      }
      if let store = store(in: text, of: path, environment) { return store }
    }
    let config = try load(named, locations: locations, environment: environment)
    return config.configuredStore
  }

  /// Returns the settings of the store. Returns nil if the path of the store is uncertain, or if a
  /// program returns the password.
  private static func store(
    in text: String, of path: String, _ environment: [String: String]
  ) -> ConfiguredStore? {
    let reading = ConfigReader.read(
      main: text, file: path, environment: environment, needsJobs: false)
    guard reading.isStoreCertain else { return nil }
    // Only `load` checks whether the programs of a config may be started.
    guard reading.config.storePassword?.commands.isEmpty ?? true else { return nil }
    var config = Config()
    config.store = reading.config.store
    config.storePassword = reading.config.storePassword
    config.secretsKey = reading.config.secretsKey
    resolvePaths(of: &config, from: folder(of: path))
    return ConfiguredStore(
      path: config.store, password: config.storePassword, secretsKey: config.secretsKey,
      keep: reading.problems.isEmpty ? reading.config.keep : nil,
      privateAddresses: reading.problems.isEmpty ? reading.config.privateAddresses : .none,
      problems: reading.problems)
  }

  /// Returns the part of the text before the list of jobs. Returns nil if no line begins with
  /// `jobs:`, or if another top-level key may come after the list.
  private static func head(of text: String) -> Substring? {
    let key = Array("\(FileKeys.jobs):".utf8)
    let bytes = text.utf8
    var lineStart = bytes.startIndex
    var head: Substring?
    while lineStart < bytes.endIndex {
      let lineEnd = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      let line = bytes[lineStart..<lineEnd]
      if head == nil, line.starts(with: key) {
        head = text[..<lineStart]
      } else if head != nil, let first = line.first, !belongsToList.contains(first) {
        return nil
      }
      lineStart = lineEnd == bytes.endIndex ? lineEnd : bytes.index(after: lineEnd)
    }
    return head
  }

  /// The possible first bytes of lines that do not begin another known top-level key: indented
  /// lines, list entries, comments, and empty lines that end with CR LF.
  private static let belongsToList = Set(" \t\r-#".utf8)
}

/// The store that a config names.
package struct ConfiguredStore: Equatable, Sendable {
  /// The path of the store, or the address of its database; nil for the default path.
  package var path: String?
  /// The source of the database password.
  package var password: SecretSource?
  /// The path of the file with the key that encrypts stored secrets; nil for the default path. The
  /// database password may be a stored secret.
  package var secretsKey: String?
  /// The retention settings; nil if mistakes were found. Also nil if there is no config, or if the
  /// config has nothing before its jobs.
  package var keep: Retention?
  /// The private addresses that the top-level `allow_private` and `defaults` allow; `.none` if
  /// mistakes were found.
  package var privateAddresses = PrivateAddresses.none
  /// The problems that were found in the config. In spite of these problems, the path of the store
  /// is certain.
  package var problems: [ConfigProblem] = []
}

extension ConfiguredStore {
  /// The store of a machine without a config.
  package static let unconfigured = ConfiguredStore()
}

extension Config {
  /// The store that the config names.
  package var configuredStore: ConfiguredStore {
    ConfiguredStore(
      path: store, password: storePassword, secretsKey: secretsKey, keep: keep,
      privateAddresses: privateAddresses)
  }
}
