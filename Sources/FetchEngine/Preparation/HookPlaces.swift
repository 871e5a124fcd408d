import FetchConfig
import FetchModel

/// Where hooks go on this machine: what is not there when a config is checked makes deliveries wait.
enum HookPlaces {
  /// They may be made before the first delivery, so that none of these is a mistake.
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
    // A kind without a warning loses little: its deliveries wait and say why.
    default: return nil
    }
  }

  /// An address that is written as one, and that nothing opens for the hook. Where a name leads only
  /// a delivery can tell.
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
