import FetchValues

/// What becomes of a run by what its plugin asks for.
package enum GrantDecision: Equatable, Sendable {
  /// With what is to be remembered from now on; nil where that is there already.
  case runs(keeping: PinnedGrant?)
  /// The config's `allow` does not give it that.
  case beyondAllowance([AskedPermission])
  /// The file has changed and asks for that besides what was granted.
  case beyondGrant([AskedPermission])
  /// The file needs options or secrets that it was not given, which is said with what to do.
  case lacking([String])
}

extension GrantDecision {
  /// Why the job or the hook does not run; nil where it does. `file` is the one that asks.
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

  /// What is to be stored with the run.
  package var kept: PinnedGrant? {
    if case .runs(let kept) = self { return kept }
    return nil
  }

  /// What is told of a first run: what the plugin was granted with its name, besides what is in its
  /// options, where the user has put it.
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
