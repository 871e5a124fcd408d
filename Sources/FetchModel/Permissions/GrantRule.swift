package import FetchValues

/// Whether a job's plugin may run as its file is now, by what was granted before. Pure.
package enum GrantRule {
  /// The file as it is now, and what the user says of it.
  package struct Claim: Equatable, Sendable {
    /// As grants are stored under it.
    package var plugin: String
    package var hash: [UInt8]
    package var asked: AskedPermissions
    package var allowance: Allowance
    /// What of the asked is in use and `allowance` refuses.
    package var refused: [AskedPermission]
    /// Whether the user has just been shown what is asked for, as on a command line.
    package var isAgreed: Bool
    /// What is wrong with the options and secrets that the file needs, and what to do; empty where it
    /// has them.
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

  /// What a file lacks comes last: whether it may have it is to be said before.
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
    // Files are read where the user has agreed to it, and by no first run: one that is kept with
    // them would have later ones say that they were granted.
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
    // What was granted stays so when a file asks for less; the time is that of the user's word.
    var kept = pinned(granted.union(claim.asked), pin.source)
    kept.grantedAt = pin.grantedAt
    return .runs(keeping: kept)
  }
}
