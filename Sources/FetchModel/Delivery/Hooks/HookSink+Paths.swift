extension HookSink {
  /// Where the secrets are that a delivery needs.
  package var secretSources: [SecretSource] {
    switch self {
    case .webhook(let settings):
      (settings.secret.map { [$0] } ?? []) + settings.secretHeaders.map(\.source)
    case .email(let settings): settings.password.map { [$0] } ?? []
    case .lua(let settings): settings.secrets.map(\.source)
    case .command, .file: []
    }
  }

  /// The programs that a delivery, or reading what it needs, starts, with their arguments.
  package var commands: [[String]] {
    switch self {
    case .command(let settings):
      [settings.shell ? [CommandSettings.shellName, "-c"] + settings.words : settings.words]
    case .webhook, .email, .lua, .file: secretSources.flatMap(\.commands)
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
