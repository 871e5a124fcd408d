import FetchConfig
import FetchModel

/// The checks of the hooks' destinations and secrets on this machine.
enum HookPlaces {
  /// Returns warnings about missing destinations, forbidden addresses, and missing sources of
  /// secrets. These problems are not errors, since the user may solve them before the first
  /// delivery.
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
      return "this user cannot find the folder \(settings.path[..<end]) for its file: create the"
        + " folder if it does not exist"
    case .command(let settings):
      guard !settings.shell, let program = settings.words.first else { return nil }
      return machine.missing(program: program)
    case .webhook(let settings): return refused(settings)
    default: return nil
    }
  }

  /// Returns a warning if the config names an IP address that the hook may not reach; otherwise
  /// nil. The address of a hostname is known only at delivery.
  private static func refused(_ settings: WebhookSettings) -> String? {
    guard let target = try? TargetURL(settings.url), let address = target.literalAddress,
      AddressClass(address) != .global,
      !settings.privateAddresses.admits(address)
    else { return nil }
    return "its webhook goes to \(target.hostname), \(AddressClass(address).phrase), so its"
      + " deliveries wait until you allow this: write `webhook: { url: …, allow_private: true }`"
  }
}
