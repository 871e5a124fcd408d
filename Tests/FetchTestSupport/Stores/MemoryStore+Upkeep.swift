package import FetchModel
package import FetchStore
package import FetchValues

extension MemoryStore {
  package func grant(of job: String, plugin: String) throws(StoreError) -> PinnedGrant? {
    try with { $0.jobs[ExactText(job)]?.grant(plugin) }
  }

  package func grants(of job: String) throws(StoreError) -> [PinnedGrant] {
    try with { $0.jobs[ExactText(job)]?.grants ?? [] }
  }

  package func grant(ofHook hook: String, plugin: String) throws(StoreError) -> PinnedGrant? {
    try with { state in
      guard let grant = state.hookGrants[hook] else { return nil }
      if ExactText(grant.plugin) == ExactText(plugin) { return grant }
      return GrantName.grant(of: plugin, among: [grant]) ?? grant
    }
  }

  package func keep(
    _ grant: PinnedGrant, of job: String, manifestName: String
  ) throws(StoreError) {
    try with { $0.change(job, plugin: manifestName) { $0.keep(grant) } }
  }

  package func keep(_ grant: PinnedGrant, ofHook hook: String) throws(StoreError) {
    try with { $0.hookGrants[hook] = grant.underItsName }
  }
}

// MARK: Upkeep

extension MemoryStore {
  package func reset(job name: String) throws(StoreError) -> Bool {
    try with { state in
      guard var job = state.jobs[ExactText(name)] else { return false }
      job.items = [:]
      job.state = nil
      job.validators = [:]
      job.firstResultAt = nil
      job.byteCount = 0
      state.jobs[ExactText(name)] = job
      state.changes = state.changes.filter { ExactText($0.value.item.job) != ExactText(name) }
      state.transfers = state.transfers.filter { ExactText($0.value.job) != ExactText(name) }
      state.kept.removeAll { ExactText($0.row.job) == ExactText(name) }
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
