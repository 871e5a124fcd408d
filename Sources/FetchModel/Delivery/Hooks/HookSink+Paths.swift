extension HookSink {
  /// Whether a delivery, or reading what it needs, starts a program.
  package var runsCommand: Bool {
    switch self {
    case .command: true
    case .webhook(let settings):
      settings.secret?.runsCommand == true
        || settings.secretHeaders.contains(where: \.source.runsCommand)
    case .email(let settings): settings.password?.runsCommand == true
    case .lua(let settings): settings.secrets.contains(where: \.source.runsCommand)
    case .file: false
    }
  }

  /// The same with its paths resolved; a program's name, and that of a hook file, is looked up.
  package func resolvingPaths(_ resolved: (String) -> String) -> HookSink {
    switch self {
    case .webhook(var settings):
      settings.secret = settings.secret?.resolvingPaths(resolved)
      for index in settings.secretHeaders.indices {
        let source = settings.secretHeaders[index].source
        settings.secretHeaders[index].source = source.resolvingPaths(resolved)
      }
      return .webhook(settings)
    case .command(var settings):
      if !settings.shell, let program = settings.words.first,
        program.utf8.contains(UInt8(ascii: "/"))
      {
        settings.words[0] = resolved(program)
      }
      return .command(settings)
    case .file(var settings):
      settings.path = resolved(settings.path)
      return .file(settings)
    case .email(var settings):
      settings.password = settings.password?.resolvingPaths(resolved)
      return .email(settings)
    case .lua(var settings):
      if settings.file.utf8.contains(UInt8(ascii: "/")) { settings.file = resolved(settings.file) }
      for index in settings.secrets.indices {
        let source = settings.secrets[index].source
        settings.secrets[index].source = source.resolvingPaths(resolved)
      }
      return .lua(settings)
    }
  }
}
