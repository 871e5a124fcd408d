package import FetchModel
import FetchStore
package import FetchValues

extension RunPipeline {
  /// The job with all that it is granted, for what is done for it outside its runs; nil while it
  /// waits for its user's word.
  func admitted(_ job: Job) async throws(StoreError) -> Job? {
    let reads = !job.plugin.manifest.permissions.read.isEmpty
    if !job.holdsToGrant || !reads && holds.isAdmitted(job) { return job }
    let pin = try await services.store.grant(of: job.name, plugin: job.plugin.name)
    let decision = job.decision(by: pin, now: services.time.now())
    holds.note(job, decision)
    guard decision.isRun else { return nil }
    holds.admit(job)
    return job.granted(decision, pin)
  }
}

extension Job {
  /// Whether its plugin may run as its file is now.
  package func decision(by pin: PinnedGrant?, now: Timestamp) -> GrantDecision {
    // It runs nothing, and what was granted stays for the file as it will be.
    if plugin.loadFailure != nil { return .runs(keeping: nil) }
    return GrantRule.decide(claim, pin, now: now)
  }

  /// Whether a grant is that of the plugin that the user names for this job.
  func isPlugin(of pin: PinnedGrant?) -> Bool {
    pin.map { ExactText($0.plugin) == ExactText(plugin.name) } ?? false
  }

  var claim: GrantRule.Claim {
    GrantRule.Claim(
      plugin: plugin.name, hash: plugin.source.contentHash, asked: plugin.asked,
      allowance: terms?.allowance ?? Allowance(), refused: terms?.refused ?? [],
      isAgreed: !holdsToGrant, lacking: lacking)
  }

  /// The same job with what its user has agreed to besides what is given by itself: the files that
  /// its plugin asks to read are the user's alone to give.
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
