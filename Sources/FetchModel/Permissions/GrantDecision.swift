import FetchValues

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
