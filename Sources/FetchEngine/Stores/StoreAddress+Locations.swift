package import FetchConfig
import FetchHost
import FetchModel
package import FetchStore
import FetchValues

extension StoreAddress {
  /// Creates the address from a text: a path, or the address of a database.
  ///
  /// - Parameter locations: the paths of this machine. For a store in a database, the data on this
  ///   machine is in a folder in `stateFolder`.
  package init(_ text: String, _ locations: Locations, password: StorePassword? = nil) {
    self =
      text.isDatabaseAddress
      ? .server(
        text, folder: locations.stateFolder + "/" + Self.folderName(of: text), password: password)
      : .file(text)
  }

  /// Creates the address of the store that a config names, or of the default store.
  package init(
    _ store: ConfiguredStore, _ locations: Locations, environment: [String: String]
  ) {
    let password = store.password.map { source in
      let key = locations.secretsKeyOverride ?? store.secretsKey ?? locations.secretsKeyDefault
      let vault = SecretVault(path: locations.secrets, keyPath: key)
      let sources = SecretSources(environment: environment, vault: vault)
      return StorePassword { () async throws(StoreError) in
        do throws(SecretProblem) { return try await sources.value(of: source).text } catch {
          throw StoreError(.unreachable, "cannot read `store_password`: \(error.message)")
        }
      }
    }
    self.init(store.path ?? locations.store, locations, password: password)
  }

  /// Returns a folder name for a database. The name contains the beginning of the address without
  /// its scheme and query, and a hash of the whole address. A password and its user are left out of
  /// both.
  private static func folderName(of text: String) -> String {
    var rest = text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
    var hashed = Array(text.utf8)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    if let at = authority.firstIndex(of: UInt8(ascii: "@")),
      authority[..<at].contains(UInt8(ascii: ":"))
    {
      rest = rest[rest.index(after: at)...]
      hashed = Array(rest)
    }
    let shown = rest.prefix { $0 != UInt8(ascii: "?") }.prefix(60)
    let name = shown.map { ByteSet.unreserved.contains($0) ? $0 : UInt8(ascii: "-") }
    let hash = SHA256.hash(data: hashed).prefix(4)
    return "postgresql-" + String(decoding: name, as: UTF8.self) + "-"
      + Hexadecimal.text(of: Array(hash))
  }
}
