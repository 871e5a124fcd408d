package import FetchConfig
package import FetchModel
package import FetchStore
package import FetchValues

/// The search for the name of a job to which the user has given no name.
///
/// If the store knows the job's `JobIdentity`, the search returns the stored name. Otherwise, it
/// looks in the config for a job with this identity and a name that fetchrun could have made. If
/// there is none, it returns the readable name, or the qualified name if the readable name is
/// taken. If both names are taken, it returns the key of the identity.
package struct JobNaming: Sendable {
  private let store: StoreAddress
  private let jobs: @Sendable () -> [JobConfig]

  /// - Parameters:
  ///   - store: the store, which need not exist yet.
  ///   - jobs: returns the jobs of the config that uses `store`; called only if the store does
  ///     not have the job or cannot be read.
  package init(store: StoreAddress, jobs: @escaping @Sendable () -> [JobConfig]) {
    self.store = store
    self.jobs = jobs
  }

  /// Returns the name for a job whose config has no name. An unreadable store counts as empty,
  /// since opening the store later reports the error and `claim` repeats the search.
  package func name(of config: JobConfig, with plugin: Plugin) async -> JobName {
    let identity = config.identity(with: plugin)
    let reader = try? await StoreOpener.read(store)
    if let reader, let name = try? await name(of: identity, plugin, reader) { return name }
    return (try? await name(of: identity, plugin, nil)) ?? JobName(identity.key)
  }

  /// Returns the name for a job whose config has no name, as `store` has it now.
  package func name(
    of config: JobConfig, with plugin: Plugin, in store: any Store
  ) async throws(StoreError) -> JobName {
    try await name(of: config.identity(with: plugin), plugin, store)
  }

  /// Reserves the name for the job before its first run, in a store that no other process writes.
  /// Returns false if the search now finds another name, for example because another job has taken
  /// the name.
  package func claim(
    _ name: JobName, of config: JobConfig, with plugin: Plugin, in store: any Store
  ) async throws(StoreError) -> Bool {
    let identity = config.identity(with: plugin)
    let due = try await self.name(of: identity, plugin, store)
    guard due == name else { return false }
    if try await store.job(identity: identity.key) == nil {
      try await store.claim(name, identity: identity.key, plugin: plugin.manifest.name)
    }
    return true
  }

  private func name(
    of identity: JobIdentity, _ plugin: Plugin, _ reader: (any ReadableStore)?
  ) async throws(StoreError) -> JobName {
    if let name = try await reader?.job(identity: identity.key) { return name }
    let jobs = jobs()
    if let job = jobs.first(where: { has($0, identity, plugin) }) { return job.name }
    for name in [identity.readable, identity.qualified] {
      let isInConfig = jobs.contains { $0.name == name }
      if !isInConfig, try await reader?.hasJob(name) != true { return name }
    }
    return JobName(identity.key)
  }

  /// Whether a job of the config has the given identity, and a name that fetchrun gives to jobs
  /// with this identity.
  private func has(_ job: JobConfig, _ identity: JobIdentity, _ plugin: Plugin) -> Bool {
    identity.gives(job.name) && job.identity(with: plugin) == identity
  }
}

/// The identity of one use of a plugin, and the names that fetchrun can give to the job if the user
/// gives none.
///
/// The identity consists of the plugin's name and the options that select the source (URLs and
/// required options). Two feeds that one plugin reads therefore do not share their items. A change
/// of another option, such as a page size, does not make another job. Items are stored under the
/// job's name, so the store also keeps the name for each identity.
package struct JobIdentity: Equatable, Sendable {
  /// The plugin's name and ten hexadecimal digits of a hash, such as `rss-37946eb105`. If no option
  /// selects a source, the key is only the plugin's name. With 10,000 feeds, the probability that
  /// two feeds share a key is 1 in 22,000. Earlier versions used the key as the job's name, so the
  /// key must never change.
  package let key: String
  /// The plugin's name and the name of the source, such as `rss-swift.org`. If the options give no
  /// name for the source, the readable name is `key`.
  package let readable: JobName
  /// The readable name with the hash, used if another job has the readable name. If the options
  /// give no name for the source, the qualified name is `key`.
  package let qualified: JobName

  package init(_ manifest: Manifest, given: ValueObject) {
    var telling = ValueObject()
    for spec in manifest.options where spec.kind == .url || spec.isRequired {
      if let value = given[spec.name] { telling.append(spec.name, value) }
    }
    guard !telling.isEmpty else {
      key = manifest.name.text
      (readable, qualified) = (JobName(key), JobName(key))
      return
    }
    // JSON with sorted keys has a fixed form, so later versions of fetchrun make the same name.
    let text = (try? JSONWriter.text(.object(telling.sortedByKey))) ?? ""
    let hash = Hexadecimal.text(of: Array(SHA256.hash(data: Array(text.utf8)).prefix(5)))
    key = manifest.name.text + "-" + hash
    guard let source = SourceName.of(telling.members.map(\.value)) else {
      (readable, qualified) = (JobName(key), JobName(key))
      return
    }
    readable = JobName(manifest.name.text + "-" + source)
    qualified = JobName("\(readable)-\(hash)")
  }

  /// Whether the name is one of the names that fetchrun gives to this job.
  package func gives(_ name: JobName) -> Bool {
    [readable, JobName(key), qualified].contains(name)
  }
}

/// A short name of a source, for the names of jobs.
enum SourceName {
  /// The maximum length of the name in bytes. Longer names would fill the columns of tables.
  private static let bytesMax = 40

  /// Returns the hostname of the first URL, without a leading `www.`. For a `file:` URL or an
  /// absolute path, returns the name of the file without its ending. If no URL gives a name,
  /// returns the first text with letters or digits, such as `swiftlang-swift`. The name has only
  /// lower-case ASCII letters, digits, dots and hyphens. Returns nil if no such letter or digit is
  /// left.
  static func of(_ values: [Value]) -> String? {
    let texts = values.compactMap(\.displayText)
    for text in texts {
      guard let url = try? TargetURL(text) else { continue }
      if let name = plain(url.scheme == .file ? stem(url.path) : site(url.hostname)) {
        return name
      }
    }
    return texts.lazy.compactMap { plain($0.isAbsolutePath ? stem($0) : $0) }.first
  }

  private static func site(_ hostname: String) -> String {
    hostname.hasPrefix("www.") ? String(hostname.dropFirst(4)) : hostname
  }

  /// Returns the name of the file in a path, without its ending: `top-news` for
  /// `/srv/feeds/top-news.xml`.
  private static func stem(_ path: String) -> String {
    let name = path.pathNames.last ?? ""
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// Returns the text in lower case, with one hyphen for each sequence of characters other than
  /// ASCII letters, digits and dots. The result has at most `bytesMax` bytes, and no hyphen or dot
  /// at its ends. Returns nil if nothing is left.
  private static func plain(_ text: String) -> String? {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."):
        bytes.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
      default: if bytes.last != UInt8(ascii: "-") { bytes.append(UInt8(ascii: "-")) }
      }
      if bytes.count == bytesMax { break }
    }
    let ends: Set = [UInt8(ascii: "-"), UInt8(ascii: ".")]
    while let last = bytes.last, ends.contains(last) { bytes.removeLast() }
    let name = bytes.drop(while: ends.contains)
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }
}
