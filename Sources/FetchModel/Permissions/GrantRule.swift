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

/// Whether a run may start with its plugin's requests.
package enum GrantDecision: Equatable, Sendable {
  /// It runs; `keeping` is the grant to store, nil if it is already stored.
  case runs(keeping: PinnedGrant?)
  /// The config's `allow` does not permit these requests.
  case beyondAllowance([AskedPermission])
  /// The file has changed and makes these new requests.
  case beyondGrant([AskedPermission])
  /// The file needs options or secrets that it was not given; the texts say what to do.
  case lacking([String])
}

extension GrantDecision {
  /// Returns why the job or the hook does not run; nil if it does. `file` makes the requests.
  package func failure(
    of holder: GrantHolder, file: String, suggested: SuggestedCommand
  ) -> Failure? {
    switch self {
    case .runs: nil
    case .beyondAllowance(let asked):
      Failure(
        .permission,
        "\(file) asks to \(Self.list(asked)), which `allow` does not give the \(holder.kind) "
          + "'\(holder.name)'; it has not run: add that to the \(holder.kind)'s allow in the config if "
          + "you trust it")
    case .beyondGrant(let asked):
      Failure(
        .permission,
        "\(file) has changed and asks for more than was granted: to \(Self.list(asked)); it has not "
          + "run: see \(suggested.command("diff-permissions", of: holder)), and agree with "
          + suggested.command("grant", of: holder))
    case .lacking(let problems):
      Failure(
        .invalidOption,
        "\(file) needs what the \(holder.kind) '\(holder.name)' does not have; it has not run: "
          + problems.joined(separator: "; "))
    }
  }

  package var isRun: Bool {
    if case .runs = self { return true }
    return false
  }

  /// The grant to store with the run.
  package var kept: PinnedGrant? {
    if case .runs(let kept) = self { return kept }
    return nil
  }

  /// Returns the note about a first run: the permissions that the plugin was granted by being
  /// named, besides those in options, which the user wrote.
  package func note(after pin: PinnedGrant?) -> LogLine? {
    guard case .runs(let kept?) = self, kept.source == .firstRun,
      pin.map({ ExactText($0.plugin) != ExactText(kept.plugin) }) ?? true
    else { return nil }
    let asked = kept.granted.all.filter { $0.option == nil }
    if asked.isEmpty { return nil }
    return LogLine(.info, "granted at its first run: to \(Self.list(asked))")
  }

  private static let shownMax = 5

  private static func list(_ asked: [AskedPermission]) -> String {
    let shown = asked.prefix(shownMax).map(\.phrase).joined(separator: ", to ")
    let more = asked.count - shownMax
    return more > 0 ? "\(shown) and \(more) more" : shown
  }
}
