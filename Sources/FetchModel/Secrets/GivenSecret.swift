import FetchValues

/// A secret that the user gives to jobs or hook files.
package struct GivenSecret: Equatable, Sendable {
  package var name: String
  package var source: SecretSource
  /// The hostnames that may receive the secret; nil for the hostnames that the manifest of the
  /// plugin or hook file requests for this secret.
  package var hosts: [HostPattern]?

  package init(name: String, source: SecretSource, hosts: [HostPattern]? = nil) {
    self.name = name
    self.source = source
    self.hosts = hosts
  }
}

/// The form of secret sources on command lines: `NAME=KIND:WHERE`. The kind is mandatory, because a
/// text without a kind may be the secret itself.
extension SecretSource {
  /// The kind and place of the source, as in `NAME=KIND:WHERE`; nil for a source that this form
  /// cannot express, such as a command.
  package var written: (kind: String, place: String)? {
    switch self {
    case .environment(let name): ("env", name)
    case .file(let path): ("file", path)
    case .credential(let name): ("credential", name)
    case .keyring(let name): ("keyring", name)
    case .stored(let name): ("stored", name)
    case .command, .oauth2: nil
    }
  }
}

extension GivenSecret {
  /// The advice in the message about an invalid argument. The advice does not repeat the user's
  /// text, which may be the secret itself.
  package static let textRule =
    "write where the secret is, never its value: NAME=env:VARIABLE, NAME=file:PATH, "
    + "NAME=credential:NAME, NAME=keyring:NAME or NAME=stored:NAME"

  /// Parses a text of the form `NAME=KIND:WHERE`; nil if the text is invalid.
  package init?(text: String) {
    guard let cut = text.firstIndex(of: "="), SecretName.isValid(String(text[..<cut])) else {
      return nil
    }
    let words = text[cut...].dropFirst().split(separator: ":", maxSplits: 1)
    guard words.count == 2, let source = Self.source(words[0], String(words[1])) else { return nil }
    self.init(name: String(text[..<cut]), source: source)
  }

  private static func source(_ kind: Substring, _ place: String) -> SecretSource? {
    switch kind {
    case "env": .environment(place)
    case "file": .file(place)
    case "credential" where !place.hasSlash: .credential(place)
    case "keyring": .keyring(place)
    case "stored" where SecretName.isValid(place): .stored(place)
    default: nil
    }
  }
}
