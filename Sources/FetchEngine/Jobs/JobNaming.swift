package import FetchConfig
import FetchModel
package import FetchStore
import FetchValues

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
