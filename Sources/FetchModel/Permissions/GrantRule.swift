package import FetchValues

/// The rule whether a job's plugin may run with its present file, given the earlier grant. Pure.
package enum GrantRule {
  /// The present file and the user's config about it.
  package struct Claim: Equatable, Sendable {
    /// The plugin's key among the stored grants.
    package var plugin: String
    package var hash: [UInt8]
    package var asked: AskedPermissions
    package var allowance: Allowance
    /// The requested permissions in use that `allowance` refuses.
    package var refused: [AskedPermission]
    /// Whether the user has just seen the requests, as on a command line.
    package var isAgreed: Bool
    /// The missing options and secrets, each with what to do; empty if nothing is missing.
    package var lacking: [String]

    package init(
      plugin: String, hash: [UInt8], asked: AskedPermissions, allowance: Allowance = Allowance(),
      refused: [AskedPermission] = [], isAgreed: Bool = false, lacking: [String] = []
    ) {
      self.plugin = plugin
      self.hash = hash
      self.asked = asked
      self.allowance = allowance
      self.refused = refused
      self.isAgreed = isAgreed
      self.lacking = lacking
    }
  }

  /// Decides about the run. Missing values come last, after the permission for them.
  package static func decide(
    _ claim: Claim, _ pin: PinnedGrant?, now: Timestamp
  ) -> GrantDecision {
    let decision = weigh(claim, pin, now: now)
    return claim.lacking.isEmpty || !decision.isRun ? decision : .lacking(claim.lacking)
  }

  private static func weigh(
    _ claim: Claim, _ pin: PinnedGrant?, now: Timestamp
  ) -> GrantDecision {
    if !claim.refused.isEmpty { return .beyondAllowance(claim.refused) }
    // Reading files needs the user's agreement, so a first run never grants it. Storing it here
    // would make later runs treat it as granted.
    func pinned(_ granted: AskedPermissions, _ source: PinnedGrant.Source) -> PinnedGrant {
      PinnedGrant(
        plugin: claim.plugin, hash: claim.hash,
        granted: source == .agreement ? granted : granted.withoutReads, at: now, source: source)
    }
    guard let pin, ExactText(pin.plugin) == ExactText(claim.plugin) else {
      return .runs(keeping: pinned(claim.asked, claim.isAgreed ? .commandLine : .firstRun))
    }
    if pin.hash == claim.hash {
      // The usual case: one comparison.
      let ports = claim.asked.all.filter(\.hasPort)
      if ports.isEmpty { return .runs(keeping: pin.isOfOtherName ? pin.underItsName : nil) }
      return .runs(keeping: pin.adding(ports))
    }
    if claim.isAgreed { return .runs(keeping: pinned(claim.asked, .commandLine)) }
    let granted = pin.granted
    let more = claim.asked.beyond(granted).filter { claim.allowance.permits($0) == nil }
    guard more.isEmpty else { return .beyondGrant(more) }
    // A grant stays when a file asks for less; its time is that of the user's agreement.
    var kept = pinned(granted.union(claim.asked), pin.source)
    kept.grantedAt = pin.grantedAt
    return .runs(keeping: kept)
  }
}
