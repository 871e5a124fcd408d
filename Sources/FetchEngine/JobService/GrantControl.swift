package import FetchModel
import FetchSchedule
package import FetchStore
import FetchValues

/// What the plugins of scheduled jobs were granted: said, and changed by their user's word.
package struct GrantControl: Sendable {
  private let reader: any ReadableStore
  /// Nil where nothing is to be changed.
  private let store: (any Store)?
  private let holds: GrantCache
  private let hooks: HookGrants?
  private let suggested: SuggestedCommand

  init(_ pipeline: RunPipeline) {
    store = pipeline.services.store
    reader = pipeline.services.store
    holds = pipeline.holds
    hooks = pipeline.services.hookGrants
    suggested = pipeline.services.suggested
  }

  package init(reading reader: any ReadableStore, suggested: SuggestedCommand) {
    self.reader = reader
    store = nil
    holds = GrantCache()
    hooks = nil
    self.suggested = suggested
  }

  /// What of a job waits for its user's word: itself, and hook files that have a word in its runs; a
  /// sentence each.
  func sentences(of name: String, _ jobs: ScheduledJobs, now: Timestamp) async -> [String] {
    guard let job = job(name, jobs) else { return [] }
    var sentences: [String] = []
    if let pin = try? await reader.grant(of: name, plugin: job.plugin.name),
      let failure = job.decision(by: pin, now: now).failure(
        of: .job(name), file: job.plugin.path, suggested: suggested)
    {
      sentences.append("It is held: \(failure.message).")
    }
    for hook in job.hooks where !hook.claim.isAgreed {
      guard let pin = try? await reader.grant(ofHook: hook.name, plugin: hook.claim.plugin) else {
        continue
      }
      let decision = GrantRule.decide(hook.claim, pin, now: now)
      if let failure = decision.failure(
        of: .hook(hook.name), file: hook.file.path, suggested: suggested)
      {
        sentences.append("Its hook \(hook.name) is held: \(failure.message).")
      }
    }
    return sentences
  }

  /// Whether the job waited for that, and is due now.
  func keep(
    _ grant: PinnedGrant, of name: String, manifestName: String, _ jobs: ScheduledJobs,
    now: Timestamp
  ) async throws(StoreError) -> Bool {
    let store = try writable(name)
    let pin = try await store.grant(of: name, plugin: grant.plugin)
    try await store.keep(grant, of: name, manifestName: manifestName)
    holds.forget(name)
    guard let job = job(name, jobs), ExactText(job.plugin.name) == ExactText(grant.plugin),
      !job.decision(by: pin, now: now).isRun, job.decision(by: grant, now: now).isRun,
      jobs.hasFailed(name)
    else { return false }
    return jobs.trigger(name, .manual, now: now) == .due
  }

  func keep(_ grant: PinnedGrant, ofHook name: String) async throws(StoreError) {
    try await writable(name).keep(grant, ofHook: name)
    hooks?.forget(name)
  }

  private func writable(_ name: String) throws(StoreError) -> any Store {
    if let store { return store }
    throw StoreError(.readOnly, "what '\(name)' is granted cannot be kept here")
  }

  private func job(_ name: String, _ jobs: ScheduledJobs) -> Job? {
    jobs.withState { state in state.scheduler.number(of: name).flatMap { state.jobs[$0] } }
  }
}
