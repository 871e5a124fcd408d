package import FetchValues

/// The rule that decides whether a plugin or hook file may run with its present content, given the
/// stored grant.
package enum GrantRule {
  /// The requests of the present plugin or hook file, and the user's settings for the file.
  package struct Claim: Equatable, Sendable {
    /// The key under which the file's grant is stored.
    package var plugin: String
    package var hash: [UInt8]
    package var asked: AskedPermissions
    package var allowance: Allowance
    /// The requested permissions that `allowance` refuses. In an entry `{options.NAME}`, the
    /// option's value is not inserted.
    package var refused: [AskedPermission]
    /// Whether running the file counts as the user's agreement to the requested permissions, as on
    /// a command line.
    package var isAgreed: Bool
    /// The messages about missing or invalid options and secrets. Each message says what to do.
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

  /// Decides whether the file may run. Missing options and secrets are reported only if the file's
  /// permissions are granted.
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
    // A first run or a command line stores no permissions to read files. Otherwise, later runs
    // would treat these permissions as granted.
    func pinned(_ granted: AskedPermissions, _ source: PinnedGrant.Source) -> PinnedGrant {
      PinnedGrant(
        plugin: claim.plugin, hash: claim.hash,
        granted: source == .agreement ? granted : granted.withoutReads, at: now, source: source)
    }
    guard let pin, ExactText(pin.plugin) == ExactText(claim.plugin) else {
      return .runs(keeping: pinned(claim.asked, claim.isAgreed ? .commandLine : .firstRun))
    }
    if pin.hash == claim.hash {
      // The file is unchanged, as in most runs. Only requests with ports are compared, because a
      // stored grant may lack ports.
      let ports = claim.asked.all.filter(\.hasPort)
      if ports.isEmpty { return .runs(keeping: pin.isOfOtherName ? pin.underItsName : nil) }
      return .runs(keeping: pin.adding(ports))
    }
    if claim.isAgreed { return .runs(keeping: pinned(claim.asked, .commandLine)) }
    let granted = pin.granted
    let more = claim.asked.beyond(granted).filter { claim.allowance.permits($0) == nil }
    guard more.isEmpty else { return .beyondGrant(more) }
    // A grant keeps all its permissions when a file requests less. The grant also keeps the time at
    // which it was made.
    var kept = pinned(granted.union(claim.asked), pin.source)
    kept.grantedAt = pin.grantedAt
    return .runs(keeping: kept)
  }
}

/// The decision whether a plugin or hook file may run.
package enum GrantDecision: Equatable, Sendable {
  /// The file may run. `keeping` is the grant to store; nil if the grant is already stored.
  case runs(keeping: PinnedGrant?)
  /// The file may not run, because the config's `allow` does not permit the given requests.
  case beyondAllowance([AskedPermission])
  /// The file may not run, because it has changed and makes the given new requests.
  case beyondGrant([AskedPermission])
  /// The file may not run, because options or secrets are missing or invalid. The messages say what
  /// to do.
  case lacking([String])
}

extension GrantDecision {
  /// Returns the failure that says why the job or the hook does not run; nil if the decision is to
  /// run. `file` is the plugin or hook file that requests the permissions.
  package func failure(
    of holder: GrantHolder, file: String, suggested: SuggestedCommand
  ) -> Failure? {
    switch self {
    case .runs: nil
    case .beyondAllowance(let asked):
      Failure(
        .permission,
        "\(file) asks to \(Self.list(asked)), which `allow` does not permit for the \(holder.kind) "
          + "'\(holder.name)'; the file has not run: add this to `allow` of the \(holder.kind) in "
          + "the config if you trust the file")
    case .beyondGrant(let asked):
      Failure(
        .permission,
        "\(file) has changed and asks for more than was granted: to \(Self.list(asked)); the file "
          + "has not run: see `\(suggested.command("diff-permissions", of: holder))`, and allow "
          + "it with `\(suggested.command("grant", of: holder))`")
    case .lacking(let problems):
      Failure(
        .invalidOption,
        "\(file) has not run, because options or secrets of the \(holder.kind) '\(holder.name)' "
          + "are missing or invalid: " + problems.joined(separator: "; "))
    }
  }

  package var isRun: Bool {
    if case .runs = self { return true }
    return false
  }

  /// The grant that must be stored; nil if there is none.
  package var kept: PinnedGrant? {
    if case .runs(let kept) = self { return kept }
    return nil
  }

  /// Returns the log line with the permissions that the first run granted. Returns nil if this was
  /// not the first run, or if there are no such permissions. Permissions from options are omitted,
  /// because the user wrote the options.
  package func note(after pin: PinnedGrant?) -> LogLine? {
    guard case .runs(let kept?) = self, kept.source == .firstRun,
      pin.map({ ExactText($0.plugin) != ExactText(kept.plugin) }) ?? true
    else { return nil }
    let asked = kept.granted.all.filter { $0.option == nil }
    if asked.isEmpty { return nil }
    return LogLine(.info, "granted at the first run: to \(Self.list(asked))")
  }

  private static let shownMax = 5

  private static func list(_ asked: [AskedPermission]) -> String {
    let shown = asked.prefix(shownMax).map(\.phrase).joined(separator: ", to ")
    let more = asked.count - shownMax
    return more > 0 ? "\(shown) and \(more) more" : shown
  }
}
