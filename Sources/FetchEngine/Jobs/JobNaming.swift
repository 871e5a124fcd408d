import Crypto
package import FetchConfig
package import FetchModel
package import FetchStore
package import FetchValues

/// The search for the name of a job that the user has not named.
///
/// The identity never changes; its name is looked up in the store, or in a config with such a job.
/// Otherwise the job gets the readable name, or the qualified one if another job has that.
package struct JobNaming: Sendable {
  private let store: StoreAddress
  private let jobs: @Sendable () -> [JobConfig]

  /// - Parameters:
  ///   - store: the store, which need not exist yet.
  ///   - jobs: returns the jobs of the config that uses that store; called only if the store does
  ///     not know the job.
  package init(store: StoreAddress, jobs: @escaping @Sendable () -> [JobConfig]) {
    self.store = store
    self.jobs = jobs
  }

  /// Returns the job's name for a definition without one. An unreadable store counts as empty:
  /// opening it later reports the error, and `claim` looks again.
  package func name(of definition: JobDefinition, with plugin: Plugin) async -> String {
    let identity = definition.identity(with: plugin)
    let reader = try? await StoreOpener.read(store)
    if let reader, let name = try? await name(of: identity, plugin, reader) { return name }
    return (try? await name(of: identity, plugin, nil)) ?? identity.key
  }

  /// Reserves the name for the job before its first run, in a store that no other process writes.
  /// Returns false if another job has got the name since it was looked up.
  package func claim(
    _ name: String, of definition: JobDefinition, with plugin: Plugin, in store: any Store
  ) async throws(StoreError) -> Bool {
    let identity = definition.identity(with: plugin)
    let due = try await self.name(of: identity, plugin, store)
    guard ExactText(due) == ExactText(name) else { return false }
    if try await store.job(identity: identity.key) == nil {
      try await store.claim(name, identity: identity.key, plugin: plugin.manifest.name)
    }
    return true
  }

  private func name(
    of identity: JobIdentity, _ plugin: Plugin, _ reader: (any ReadableStore)?
  ) async throws(StoreError) -> String {
    if let name = try await reader?.job(identity: identity.key) { return name }
    let jobs = jobs()
    if let job = jobs.first(where: { has($0, identity, plugin) }) { return job.name }
    for name in [identity.readable, identity.qualified] {
      let isInConfig = jobs.contains { ExactText($0.name) == ExactText(name) }
      if !isInConfig, try await reader?.hasJob(name) != true { return name }
    }
    return identity.key
  }

  /// Whether a job of the config has the same identity and an automatic name.
  private func has(_ job: JobConfig, _ identity: JobIdentity, _ plugin: Plugin) -> Bool {
    identity.gives(job.name) && JobDefinition(job).identity(with: plugin) == identity
  }
}

/// The identity of one use of a plugin, and the names that fetchrun gives such a job if the user
/// gives none.
///
/// It consists of the options that select the source (URLs and required options). Two feeds read by
/// one plugin therefore do not share their items, while a changed page size keeps the job. Items
/// belong to a job's name: the store keeps which name an identity got.
package struct JobIdentity: Equatable, Sendable {
  /// The plugin's name and ten hex digits of a hash, `rss-37946eb105`; only the plugin's name if no
  /// option selects a source. For 10,000 feeds, two share a key with a probability of 1 in 22,000.
  /// Earlier versions used it as the job's name, so it must never change.
  package let key: String
  /// The plugin's name and the source's, such as `rss-swift.org`.
  package let readable: String
  /// The readable name with the hash, used if another job has the readable one.
  package let qualified: String

  package init(_ manifest: Manifest, given: ValueObject) {
    var telling = ValueObject()
    for spec in manifest.options where spec.kind == .url || spec.isRequired {
      if let value = given[spec.name] { telling.append(spec.name, value) }
    }
    guard !telling.isEmpty else {
      (key, readable, qualified) = (manifest.name, manifest.name, manifest.name)
      return
    }
    // JSON has a fixed form: names outlive versions.
    let text = (try? JSONWriter.text(.object(telling.sortedByKey))) ?? ""
    let hash = Hexadecimal.text(of: Array(SHA256.hash(data: Array(text.utf8)).prefix(5)))
    key = manifest.name + "-" + hash
    guard let source = SourceName.of(telling.members.map(\.value)) else {
      (readable, qualified) = (key, key)
      return
    }
    readable = manifest.name + "-" + source
    qualified = readable + "-" + hash
  }

  /// Whether a name is one that fetchrun gives such a job.
  package func gives(_ name: String) -> Bool {
    [readable, key, qualified].contains { ExactText($0) == ExactText(name) }
  }
}
