import FetchValues

/// The source from which the host reads a secret's value when the value is needed.
package indirect enum SecretSource: Hashable, Sendable {
  /// An environment variable of the host process.
  case environment(String)
  /// A file that only its owner can read.
  case file(String)
  /// The standard output of a program. The program and its arguments are a list, never a command
  /// line for a shell.
  case command([String])
  /// A file in `$CREDENTIALS_DIRECTORY` (systemd's LoadCredential).
  case credential(String)
  /// A key of the type `user` in the kernel's keyrings.
  case keyring(String)
  /// A secret that `fetchrun secret set` stores encrypted.
  case stored(String)
  /// An access token that the host requests and renews.
  case oauth2(OAuthClient)
}

extension SecretSource {
  /// The programs that are started to read the secret, with their arguments.
  package var commands: [[String]] {
    switch self {
    case .command(let words): [words]
    case .oauth2(let client):
      [client.clientSecret, client.refreshToken].compactMap { $0 }.flatMap(\.commands)
    default: []
    }
  }

  /// The environment variables that are used to read the secret.
  package var variables: [String] {
    switch self {
    case .environment(let name): [name]
    case .oauth2(let client):
      [client.clientSecret, client.refreshToken].compactMap { $0 }.flatMap(\.variables)
    default: []
    }
  }

  /// Whether the host can read the secret at once. The value is false if reading needs a program, a
  /// request to a server, or the kernel's keyrings.
  package var isReadAtOnce: Bool {
    switch self {
    case .environment, .file, .credential, .stored: true
    case .command, .keyring, .oauth2: false
    }
  }

  /// Returns the source with its paths resolved. A command's name without a slash stays unchanged,
  /// because the system looks for the command in `PATH`.
  package func resolvingPaths(_ resolved: (String) -> String) -> SecretSource {
    switch self {
    case .file(let path): return .file(resolved(path))
    case .command(let words):
      guard let program = words.first, program.utf8.contains(UInt8(ascii: "/")) else { return self }
      return .command([resolved(program)] + words.dropFirst())
    case .oauth2(var client):
      client.clientSecret = client.clientSecret?.resolvingPaths(resolved)
      client.refreshToken = client.refreshToken?.resolvingPaths(resolved)
      return .oauth2(client)
    default: return self
    }
  }
}
