package import FetchConfig
import FetchModel
package import FetchStore
import FetchValues

/// Finds the name of a job that nobody has named.
///
/// The identity stays what it is; which name it has is looked up: the store knows it, or a config
/// has such a job. Otherwise the job gets the readable name, or the qualified one if another job has
/// that.
package struct JobNaming: Sendable {
  private let store: StoreAddress
  private let jobs: @Sendable () -> [JobConfig]

  /// - Parameters:
  ///   - store: the store, which need not exist yet.
  ///   - jobs: those of the config that keeps its items in that store; asked for only where the store
  ///     does not know the job.
  package init(store: StoreAddress, jobs: @escaping @Sendable () -> [JobConfig]) {
    self.store = store
    self.jobs = jobs
  }

  /// The name of the job that a definition without one means. A store that cannot be read is as if
  /// it were not there: whoever opens it says what is wrong with it, and `claim` looks again.
  package func name(of definition: JobDefinition, with plugin: Plugin) async -> String {
    let identity = definition.identity(with: plugin)
    let reader = try? await StoreOpener.read(store)
    if let reader, let name = try? await name(of: identity, plugin, reader) { return name }
    return (try? await name(of: identity, plugin, nil)) ?? identity.key
  }

  /// Makes the name the job's own, before its first run, in a store that nobody else writes. False
  /// where another job has got the name since it was looked up.
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

  /// Whether a job of the config does the same and has a name that such a job gets by itself.
  private func has(_ job: JobConfig, _ identity: JobIdentity, _ plugin: Plugin) -> Bool {
    identity.gives(job.name) && JobDefinition(job).identity(with: plugin) == identity
  }
}
