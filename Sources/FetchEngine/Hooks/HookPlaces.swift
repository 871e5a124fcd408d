import FetchConfig
import FetchModel

/// Where hooks go on this machine: what is not there when a config is checked makes deliveries wait.
enum HookPlaces {
  /// They may be made before the first delivery, so that none of these is a mistake.
  static func warnings(of hook: HookConfig) -> [ConfigProblem] {
    guard let missing = missing(for: hook.sink) else { return [] }
    var warning = hook.problem(missing)
    warning.isWarning = true
    return [warning]
  }

  private static func missing(for sink: HookSink) -> String? {
    switch sink {
    case .file(let settings):
      guard let end = settings.path.lastSlash, end != settings.path.startIndex,
        !FileBytes.isFolder(String(settings.path[..<end]))
      else { return nil }
      return "there is no folder \(settings.path[..<end]) for its file; make it"
    case .command(let settings):
      guard !settings.shell, let program = settings.words.first, program.hasSlash,
        !FileBytes.exists(program)
      else { return nil }
      return "there is no program \(program)"
    case .webhook, .email, .lua: return nil
    }
  }
}
