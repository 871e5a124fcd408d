package import FetchModel
package import FetchStore
package import FetchValues

extension MemoryStore {
  package func grant(of job: JobName, plugin: String) throws(StoreError) -> PinnedGrant? {
    try with { $0.jobs[job]?.grant(plugin) }
  }

  package func grants(of job: JobName) throws(StoreError) -> [PinnedGrant] {
    try with { $0.jobs[job]?.grants ?? [] }
  }

  package func grant(ofHook hook: HookName, plugin: String) throws(StoreError) -> PinnedGrant? {
    try with { state in
      guard let grant = state.hookGrants[hook] else { return nil }
      if ExactText(grant.plugin) == ExactText(plugin) { return grant }
      return GrantName.grant(of: plugin, among: [grant]) ?? grant
    }
  }

  package func keep(
    _ grant: PinnedGrant, of job: JobName, manifestName: PluginName
  ) throws(StoreError) {
    try with { $0.change(job, plugin: manifestName) { $0.keep(grant) } }
  }

  package func keep(_ grant: PinnedGrant, ofHook hook: HookName) throws(StoreError) {
    try with { $0.hookGrants[hook] = grant.underItsName }
  }
}

// MARK: Upkeep

extension MemoryStore {
  package func reset(job name: JobName) throws(StoreError) -> Bool {
    try with { state in
      guard var job = state.jobs[name] else { return false }
      job.items = [:]
      job.state = nil
      job.validators = [:]
      job.firstResultAt = nil
      job.byteCount = 0
      state.jobs[name] = job
      state.changes = state.changes.filter { $0.value.item.job != name }
      state.transfers = state.transfers.filter { $0.value.job != name }
      state.kept.removeAll { $0.row.job == name }
      return true
    }
  }

  package func prune(_ retention: Retention, now: Timestamp) throws(StoreError) -> Int {
    try with { _ in 0 }
  }

  package func keepUp(
    _ retention: Retention?, now: Timestamp
  ) throws(StoreError) -> RetentionProgress {
    try with { state in
      if let retention { state.retention = retention }
      return .rests(until: now + .seconds(86_400))
    }
  }

  package func retention() throws(StoreError) -> Retention { try with { $0.retention } }

  package func setLimits(_ retention: Retention) throws(StoreError) { try with { _ in } }

  package func compact() throws(StoreError) { try with { _ in } }

  package func close() throws(StoreError) {
    _ = try with { $0.isClosed = true }
  }
}
