import FetchModel
import FetchValues
import Yams

extension ConfigReader {
  struct PlacedSecret {
    var given: GivenSecret
    var place: ConfigPlace
  }

  /// Those of the file.
  mutating func secrets(_ node: Node) -> [PlacedSecret] {
    named(node) { reader, name, node in reader.secret(node, name) }
  }

  /// Those of a job: each a source, or `true` for the file's of that name.
  mutating func jobSecrets(_ node: Node) -> [PlacedSecret] {
    named(node) { reader, name, node in
      guard case .scalar = node, reader.value(node) == .bool(true) else {
        return reader.secret(node, name)
      }
      if let known = reader.shared.first(where: { ExactText($0.name) == ExactText(name) }) {
        return known
      }
      let hint = NearestName.hint(name, among: reader.shared.map(\.name))
      reader.note(node, "the file has no secret '\(name)'\(hint); add it to its secrets")
      return nil
    }
  }

  private mutating func named(
    _ node: Node, _ read: (inout ConfigReader, String, Node) -> GivenSecret?
  ) -> [PlacedSecret] {
    guard let mapping = mapping(node, "secrets") else { return [] }
    var secrets: [PlacedSecret] = []
    for (keyNode, node) in mapping {
      let name = keyNode.string ?? ""
      guard SecretName.isValid(name) else {
        note(keyNode, "'\(name)' is no name of a secret; use \(SecretName.rule)")
        continue
      }
      guard let given = read(&self, name, node) else { continue }
      secrets.append(PlacedSecret(given: given, place: place(of: keyNode)))
    }
    return secrets
  }

  private mutating func secret(_ node: Node, _ name: String) -> GivenSecret? {
    if case .scalar = node {
      note(
        node,
        "say where the secret is, not what it is: \(name): { env: VARIABLE }, { file: PATH } or"
          + " { stored: NAME }")
      return nil
    }
    guard let mapping = mapping(node, "a secret") else { return nil }
    let entries = entries(mapping, SecretKey.self)
    guard let source = source(entries, of: node, mapping) else { return nil }
    var secret = GivenSecret(name: name, source: source)
    if let hosts = entries.first(where: { $0.key == .hosts })?.node {
      secret.hosts = self.hosts(hosts)
    }
    return secret
  }

  mutating func hosts(_ node: Node) -> [HostPattern] {
    var hosts: [HostPattern] = []
    for (text, node) in texts(node, "hosts") {
      if let host = HostPattern(text) {
        hosts.append(host)
      } else {
        note(node, "'\(text)' is no hostname; write example.org, *.example.org or '*'")
      }
    }
    return hosts
  }

  // MARK: Sources

  private mutating func source(
    _ entries: [(key: SecretKey, keyNode: Node, node: Node)], of node: Node,
    _ mapping: Node.Mapping
  ) -> SecretSource? {
    let sources = entries.filter { $0.key != .hosts }
    guard let source = sources.first else {
      // An unknown key was noted already.
      if entries.count < mapping.count { return nil }
      let known = SecretKey.sources.map(\.rawValue).joined(separator: ", ")
      note(node, "a secret needs a source: one of \(known)")
      return nil
    }
    if sources.count > 1 {
      note(
        sources[1].keyNode,
        "a secret has one source; keep \(source.key.rawValue)"
          + " or \(sources[1].key.rawValue)")
    }
    return self.source(source.key, source.node)
  }

  private mutating func source(_ key: SecretKey, _ node: Node) -> SecretSource? {
    switch key {
    case .command: return command(node)
    case .oauth2: return client(node).map(SecretSource.oauth2)
    case .hosts: return nil
    default: break
    }
    guard let text = text(node, key.rawValue) else { return nil }
    guard !text.isEmpty else {
      note(node, "\(key.rawValue) is empty")
      return nil
    }
    switch key {
    case .env: return .environment(text)
    case .file: return .file(text)
    case .keyring: return .keyring(text)
    case .credential where text.hasSlash || text == "." || text == "..":
      note(node, "credential is the name of a file in $CREDENTIALS_DIRECTORY, not a path")
      return nil
    case .credential: return .credential(text)
    default:
      if SecretName.isValid(text) { return .stored(text) }
      note(node, "'\(text)' is no name of a secret; use \(SecretName.rule)")
      return nil
    }
  }

  private mutating func command(_ node: Node) -> SecretSource? {
    guard case .sequence(let list) = node, !list.isEmpty else {
      note(node, "command must be a list of words, such as [pass, show, token]; no shell reads it")
      return nil
    }
    let words = texts(node, "command").map(\.text)
    guard words.count == list.count else { return nil }
    if words.contains(where: { $0.utf8.contains(0) }) || words[0].isEmpty {
      note(node, "command has a word that no program can be given")
      return nil
    }
    return .command(words)
  }

  // MARK: Access tokens

  private mutating func client(_ node: Node) -> OAuthClient? {
    guard let mapping = mapping(node, "oauth2") else { return nil }
    var client = OAuthClient(tokenURL: "", clientID: "")
    for (key, _, node) in entries(mapping, OAuthKey.self) {
      let name = key.rawValue
      switch key {
      case .tokenURL: client.tokenURL = tokenURL(node) ?? ""
      case .clientID: client.clientID = text(node, name) ?? ""
      case .clientSecret: client.clientSecret = innerSource(node, name)
      case .refreshToken: client.refreshToken = innerSource(node, name)
      case .scope: client.scope = text(node, name)
      case .clientAuth:
        client.authentication =
          choice(node, name, OAuthClient.Authentication.self) ?? client.authentication
      }
    }
    for key in [OAuthKey.tokenURL, .clientID]
    where !mapping.contains(where: { $0.key.string == key.rawValue }) {
      note(node, "oauth2 needs \(key.rawValue)")
      return nil
    }
    return client
  }

  /// A secret goes there, so it goes encrypted; this machine itself is for tests and gateways.
  private mutating func tokenURL(_ node: Node) -> String? {
    guard let text = text(node, "token_url") else { return nil }
    do {
      let target = try TargetURL(text)
      let isHere =
        target.hostname == "localhost" || target.address.map(AddressClass.init) == .loopback
      if target.scheme == .https || target.scheme == .http && isHere { return text }
      note(node, "token_url must begin with https://, since secrets are sent there")
    } catch { note(node, "token_url: \(error.message)") }
    return nil
  }

  mutating func innerSource(_ node: Node, _ name: String) -> SecretSource? {
    guard let mapping = mapping(node, name) else { return nil }
    let entries = entries(mapping, SecretKey.self)
    for entry in entries where entry.key == .hosts || entry.key == .oauth2 {
      note(entry.keyNode, "\(name) has a source only, and none that is a token itself")
      return nil
    }
    return source(entries, of: node, mapping)
  }
}
