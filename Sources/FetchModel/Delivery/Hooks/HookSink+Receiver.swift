import FetchValues

extension HookSink {
  /// The receiver as a log names it: a hostname, a file or a program, without anything secret that an
  /// address or an argument may have.
  package var receiver: String {
    switch self {
    case .webhook(let settings): (try? TargetURL(settings.url))?.hostname ?? word
    case .email(let settings): Self.hostname(ofServer: settings.server)
    case .file(let settings): settings.path
    case .command(let settings):
      settings.shell ? CommandSettings.shellName : settings.words.first?.lastName ?? word
    case .lua(let settings): settings.file.lastName
    }
  }

  /// `smtp://mail.example.org:587` gives `mail.example.org`.
  private static func hostname(ofServer server: String) -> String {
    let authority = server.lastName
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[...end])
    }
    return String(authority.prefix { $0 != ":" })
  }
}
