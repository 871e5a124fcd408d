import FetchConfig
import FetchModel

/// The checks of hooks' destinations on this machine: a missing one makes deliveries wait.
enum HookPlaces {
  /// Returns warnings, not errors: the destinations may be created before the first delivery.
  static func warnings(
    of hook: HookConfig, on machine: MachineFacts = MachineFacts()
  ) -> [ConfigProblem] {
    var found = missing(for: hook.sink, machine).map { [$0] } ?? []
    for source in hook.sink.secretSources { found += machine.missing(for: source) }
    return found.map { message in
      var warning = hook.problem(message)
      warning.isWarning = true
      return warning
    }
  }

  private static func missing(for sink: HookSink, _ machine: MachineFacts) -> String? {
    switch sink {
    case .file(let settings):
      guard let end = settings.path.lastSlash, end != settings.path.startIndex,
        !FileBytes.isFolder(String(settings.path[..<end]))
      else { return nil }
      return "there is no folder \(settings.path[..<end]) for its file; create it"
    case .command(let settings):
      guard !settings.shell, let program = settings.words.first else { return nil }
      return machine.missing(program: program)
    case .webhook(let settings): return refused(settings)
    // Other kinds lose little without a warning: their deliveries wait and give the reason.
    default: return nil
    }
  }

  /// Returns a warning about a literal address that the hook may not reach. Where a name leads is
  /// known only at delivery.
  private static func refused(_ settings: WebhookSettings) -> String? {
    guard let target = try? TargetURL(settings.url), let address = target.literalAddress,
      AddressClass(address) != .global,
      !settings.privateAddresses.admits(address)
    else { return nil }
    return "its webhook goes to \(target.hostname), \(AddressClass(address).phrase), which"
      + " the hook itself must be allowed: write webhook: { url: …, allow_private: true }, or"
      + " deliveries wait"
  }
}
