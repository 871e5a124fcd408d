import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues
import Glibc

/// The address of a web page that the user typed instead of a plugin, with or without a scheme.
struct TypedAddress {
  /// The address with its scheme.
  let url: String
  /// Whether the user typed no scheme.
  let isAssumed: Bool

  /// Creates an address from a typed word. Returns nil if a word without a scheme is not an
  /// address. Also returns nil if a word without a scheme is the name of a plugin in the folders,
  /// or the path of a file or folder.
  init?(_ word: String, _ folders: PluginFolders) {
    if ["http://", "https://"].contains(where: { word.lowercased().hasPrefix($0) }) {
      (url, isAssumed) = (word, false)
      return
    }
    guard !folders.has(word), access(word, F_OK) != 0, let target = Self.target(word) else {
      return nil
    }
    url = (Self.isPlain(target, hasPort: Self.hasPort(word)) ? "http://" : "https://") + word
    isAssumed = true
  }

  /// Returns the parts of an address whose scheme is neither http nor https, such as `htp` and
  /// `a.example/feed`. Returns nil for other words, and for the path of a file or folder.
  static func otherScheme(of word: String) -> (scheme: String, rest: String)? {
    guard let border = word.firstRange(of: "://"), access(word, F_OK) != 0 else { return nil }
    let scheme = word[..<border.lowerBound].lowercased()
    guard scheme.wholeMatch(of: /[a-z][a-z0-9+.\-]*/) != nil, scheme != "http", scheme != "https"
    else { return nil }
    return (scheme, String(word[border.upperBound...]))
  }

  /// The address of the same page with `https` in place of `http`, or the reverse; nil if the user
  /// typed the scheme.
  var other: (scheme: String, url: String)? {
    guard isAssumed, let end = url.firstRange(of: "://")?.upperBound else { return nil }
    let scheme = url.hasPrefix("https:") ? "http" : "https"
    return (scheme, "\(scheme)://\(url[end...])")
  }

  /// Returns the address for a word that begins with a host. The host is a hostname with a dot,
  /// `localhost`, an IP address, or any host with a port. Returns nil for other words, and for
  /// names of files such as `feeds.opml`.
  private static func target(_ word: String) -> TargetURL? {
    let host = word.prefix { !"/?#".contains($0) }
    let isFile = fileEndings.contains {
      word.lowercased().hasSuffix($0) && host.count == word.count
    }
    guard let first = host.first, first != ".", !host.contains("@"), !isFile,
      !word.hasSuffix(".lua"),
      let target = try? TargetURL("http://" + word)
    else { return nil }
    let isNamed = target.hostname.contains(".") || target.hostname == "localhost"
    return isNamed || target.literalAddress != nil || hasPort(word) ? target : nil
  }

  private static func hasPort(_ word: String) -> Bool {
    word.prefix { !"/?#".contains($0) }.firstMatch(of: /:[0-9]+$/) != nil
  }

  private static let fileEndings = [".yaml", ".yml", ".opml", ".json", ".xml"]

  /// Whether a server at the target probably uses HTTP without TLS.
  private static func isPlain(_ target: TargetURL, hasPort: Bool) -> Bool {
    if target.port == TargetURL.Scheme.https.defaultPort { return false }
    if hasPort || target.hostname == "localhost" { return true }
    return target.literalAddress.map { AddressClass($0) != .global } ?? false
  }
}

/// The naming of jobs that `--plugin` runs without `--job`.
struct TypedJobNaming {
  private let naming: JobNaming
  private let plugin: Plugin

  init(_ storage: StoreOptions, _ plugin: Plugin) {
    self.plugin = plugin
    let store = storage.address()
    naming = JobNaming(store: store) { Self.jobs(store) }
  }

  /// Returns the jobs of the default config if that config uses the given store. These jobs are
  /// needed because the store lacks jobs that have not run yet. Ignores a config with mistakes.
  private static func jobs(_ store: StoreAddress) -> [JobConfig] {
    let locations = ProcessEnvironment.locations
    guard ConfigFile.path(nil, locations: locations) != nil,
      let config = try? ConfigFile.load(
        nil, locations: locations, environment: ProcessEnvironment.environment),
      ProcessEnvironment.absoluteStore(config.store ?? locations.store)
        == ProcessEnvironment.absoluteStore(store.path)
    else { return [] }
    return config.jobs
  }

  /// Returns the job with its name.
  ///
  /// - Parameter store: the job's store, if it is open; nil to read the file, or to find that there
  ///   is none.
  func named(_ config: JobConfig, in store: (any Store)?) async throws(StoreError) -> JobConfig {
    var config = config
    config.name =
      if let store { try await naming.name(of: config, with: plugin, in: store) } else {
        await naming.name(of: config, with: plugin)
      }
    return config
  }

  /// Reserves the job's name in the store. Throws a failure if the job now gets another name, for
  /// example because another command has taken this name.
  func claim(
    _ name: JobName, of config: JobConfig, in store: any Store
  ) async throws {
    if try await naming.claim(name, of: config, with: plugin, in: store) { return }
    throw Failure(
      .storeUnavailable,
      "another command took the job name '\(name)' first: run this command again")
  }
}
