import FetchValues

/// The place from which a secret's value is read when used.
package indirect enum SecretSource: Hashable, Sendable {
  /// An environment variable of the host.
  case environment(String)
  /// A file that only its owner can read.
  case file(String)
  /// The standard output of a program; the arguments are a list, never a shell line.
  case command([String])
  /// A file in `$CREDENTIALS_DIRECTORY` (systemd's LoadCredential).
  case credential(String)
  /// A `user` key of the kernel's keyrings.
  case keyring(String)
  /// A secret that `fetchrun secret set` stores encrypted.
  case stored(String)
  /// An access token that the host gets and renews.
  case oauth2(OAuthClient)
}

extension SecretSource {
  /// The programs that a read starts, with their arguments.
  package var commands: [[String]] {
    switch self {
    case .command(let words): [words]
    case .oauth2(let client):
      [client.clientSecret, client.refreshToken].compactMap { $0 }.flatMap(\.commands)
    default: []
    }
  }

  /// The environment variables that a read uses.
  package var variables: [String] {
    switch self {
    case .environment(let name): [name]
    case .oauth2(let client):
      [client.clientSecret, client.refreshToken].compactMap { $0 }.flatMap(\.variables)
    default: []
    }
  }

  /// Whether it can be read without starting a program or asking another process; the kernel's key
  /// helpers count as such.
  package var isReadAtOnce: Bool {
    switch self {
    case .environment, .file, .credential, .stored: true
    case .command, .keyring, .oauth2: false
    }
  }

  /// Returns the source with absolute paths; a command's name is looked up like in a shell.
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
