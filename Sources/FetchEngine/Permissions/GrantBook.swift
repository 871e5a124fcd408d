package import FetchModel
package import FetchStore
package import FetchValues
import Synchronization

/// The decisions on whether the present files of jobs and hooks may run.
///
/// The book remembers some decisions, so that the store is read less often. A new grant that `keep`
/// stores removes the remembered decision.
package final class GrantBook: Sendable {
  /// The decision on whether a hook file may be called.
  struct HookAnswer: Sendable {
    /// The reason why the file may not run; nil if the file may run.
    var refusal: Failure?
    /// The note about the permissions that the file's first call has granted; nil if there is no
    /// such note.
    var note: LogLine?
  }

  private struct KnownHook {
    var claim: GrantRule.Claim
    var refusal: Failure?
  }

  private struct State {
    var heldJobs: Set<JobName> = []
    /// The hash of the plugin file with which `admitted` last admitted the job. A new grant or a
    /// refusal removes the hash.
    var admitted: [JobName: [UInt8]] = [:]
    var hooks: [HookName: KnownHook] = [:]
  }

  private let reader: any GrantReading
  /// The store; nil if this process may not change the store.
  private let store: (any GrantStore)?
  private let suggested: SuggestedCommand
  private let state = Mutex(State())

  init(store: any GrantStore, suggested: SuggestedCommand) {
    reader = store
    self.store = store
    self.suggested = suggested
  }

  package init(reading reader: any GrantReading, suggested: SuggestedCommand) {
    self.reader = reader
    store = nil
    self.suggested = suggested
  }

  private func writable<Kind>(_ name: Name<Kind>) throws(StoreError) -> any GrantStore {
    if let store { return store }
    throw StoreError(.readOnly, "this process cannot store the grant of '\(name)'")
  }
}

// MARK: - Jobs

extension GrantBook {
  /// The jobs that are held, because `note` has recorded a refusal. A new grant, or a decision to
  /// run the plugin, removes the job.
  var heldJobs: Set<JobName> { state.withLock { $0.heldJobs } }
  func isHeld(_ job: JobName) -> Bool { state.withLock { $0.heldJobs.contains(job) } }

  /// Returns the job with all its granted permissions, for work outside the job's runs. Returns nil
  /// while the job's plugin file may not run, for example while the job waits for approval.
  func admitted(_ job: Job, now: Timestamp) async throws(StoreError) -> Job? {
    let reads = !job.plugin.manifest.permissions.read.isEmpty
    if !job.holdsToGrant || !reads && isAdmitted(job) { return job }
    let pin = try await reader.grant(of: job.name, plugin: job.plugin.name)
    let decision = job.decision(by: pin, now: now)
    note(job, decision)
    guard decision.isRun else { return nil }
    state.withLock { $0.admitted[job.name] = job.plugin.source.contentHash }
    return job.granted(decision, pin)
  }

  private func isAdmitted(_ job: Job) -> Bool {
    state.withLock { $0.admitted[job.name] == job.plugin.source.contentHash }
  }

  /// Remembers a decision about the job. Returns whether the decision removes the job from
  /// `heldJobs`.
  @discardableResult
  func note(_ job: Job, _ decision: GrantDecision) -> Bool {
    // The decision about a job that never waits for approval is not remembered, since there may be
    // many such jobs.
    guard job.holdsToGrant else { return false }
    let name = job.name
    return state.withLock { state in
      if decision.isRun { return state.heldJobs.remove(name) != nil }
      state.admitted[name] = nil
      state.heldJobs.insert(name)
      return false
    }
  }

  /// Stores a new grant of a job's plugin. Returns whether the scheduled job may run with this
  /// grant, but could not run with the previous grant. `scheduled` returns the scheduled job, if
  /// any, and is called after the grant is stored.
  func keep(
    _ grant: PinnedGrant, of name: JobName, manifestName: PluginName, scheduled: () -> Job?,
    now: Timestamp
  ) async throws(StoreError) -> Bool {
    let store = try writable(name)
    let pin = try await store.grant(of: name, plugin: grant.plugin)
    try await store.keep(grant, of: name, manifestName: manifestName)
    state.withLock { state in
      state.heldJobs.remove(name)
      state.admitted[name] = nil
    }
    guard let job = scheduled(), job.isPlugin(of: grant) else { return false }
    return !job.decision(by: pin, now: now).isRun && job.decision(by: grant, now: now).isRun
  }

  /// Returns the reason why the job's plugin file may not run, as a sentence. Returns nil if the
  /// file may run, or if the store cannot be read. The sentence begins in lower case and has no
  /// full stop.
  func sentence(of job: Job, now: Timestamp) async -> String? {
    let pin: PinnedGrant?
    do throws(StoreError) {
      pin = try await reader.grant(of: job.name, plugin: job.plugin.name)
    } catch { return nil }
    let failure = job.decision(by: pin, now: now).failure(
      of: .job(job.name), file: job.plugin.path, suggested: suggested)
    return failure.map { "it is held: \($0.message)" }
  }

  /// Returns a sentence for each hook file that takes part in the job's runs and may not run. The
  /// job's runs continue without these files. Skips a hook file whose grant cannot be read.
  func hookSentences(of job: Job, now: Timestamp) async -> [String] {
    var sentences: [String] = []
    for hook in job.hooks where !hook.claim.isAgreed {
      let pin: PinnedGrant?
      do throws(StoreError) {
        pin = try await reader.grant(ofHook: hook.name, plugin: hook.claim.plugin)
      } catch { continue }
      if let failure = refusal(GrantRule.decide(hook.claim, pin, now: now), of: hook) {
        sentences.append("its hook \(hook.name) is held: \(failure.message)")
      }
    }
    return sentences
  }
}

// MARK: - Hooks

extension GrantBook {
  /// Decides whether a hook file may run, and stores a new or changed grant.
  func answer(for hook: LuaHook, now: Timestamp) async -> HookAnswer {
    if let failure = hook.file.loadFailure {
      return HookAnswer(refusal: Failure(failure.code, failure.hookLoadSentence))
    }
    if hook.claim.isAgreed { return HookAnswer() }
    let known = state.withLock { $0.hooks[hook.name] }
    if let known, known.claim == hook.claim { return HookAnswer(refusal: known.refusal) }
    do throws(StoreError) {
      let pin = try await reader.grant(ofHook: hook.name, plugin: hook.claim.plugin)
      let decision = GrantRule.decide(hook.claim, pin, now: now)
      if let kept = decision.kept { try await writable(hook.name).keep(kept, ofHook: hook.name) }
      let refusal = refusal(decision, of: hook)
      state.withLock {
        $0.hooks[hook.name] = KnownHook(claim: hook.claim, refusal: refusal)
      }
      return HookAnswer(refusal: refusal, note: decision.note(after: pin))
    } catch {
      return HookAnswer(refusal: error.failure)
    }
  }

  private func refusal(_ decision: GrantDecision, of hook: LuaHook) -> Failure? {
    decision.failure(of: .hook(hook.name), file: hook.file.path, suggested: suggested)
  }

  func keep(_ grant: PinnedGrant, ofHook name: HookName) async throws(StoreError) {
    try await writable(name).keep(grant, ofHook: name)
    state.withLock { $0.hooks[name] = nil }
  }
}

extension Job {
  /// Decides whether the job's plugin may run with its present file.
  package func decision(by pin: PinnedGrant?, now: Timestamp) -> GrantDecision {
    // A plugin that does not load runs no code. Its stored grant is kept, because it is needed
    // again when the file is repaired.
    if plugin.loadFailure != nil { return .runs(keeping: nil) }
    return GrantRule.decide(claim, pin, now: now)
  }

  /// Whether the grant is for the plugin that the user has named for this job.
  func isPlugin(of pin: PinnedGrant?) -> Bool {
    pin.map { ExactText($0.plugin) == ExactText(plugin.name) } ?? false
  }

  var claim: GrantRule.Claim {
    GrantRule.Claim(
      plugin: plugin.name, hash: plugin.source.contentHash, asked: plugin.asked,
      allowance: terms?.allowance ?? Allowance(), refused: terms?.refused ?? [],
      isAgreed: !holdsToGrant, lacking: lacking)
  }

  /// Returns the job with the readable paths that the plugin requests and the user has granted.
  /// Only a grant with the source `agreement` counts. Without such a grant, the job stays
  /// unchanged.
  func granted(_ decision: GrantDecision, _ pin: PinnedGrant?) -> Job {
    let entries = plugin.manifest.permissions.read
    guard !entries.isEmpty, let pin = decision.kept ?? pin, pin.source == .agreement,
      decision.isRun
    else { return self }
    let granted = pin.granted
    let agreed = entries.filter { granted.covers(.read($0)) }
    var job = self
    job.grant.readPaths += PermissionResolution.paths(agreed, options)
      .map { FileBytes.absolute($0) ?? $0 }
    return job
  }
}
