import FetchModel
import FetchValues

extension ConfigReader {
  struct PlacedSecret {
    var given: GivenSecret
    var place: ConfigPlace
  }

  /// Reads the top-level secrets of the file.
  mutating func secrets(_ node: Node) -> [PlacedSecret] {
    named(node) { reader, name, node in reader.secret(node, name) }
  }

  /// Reads the secrets of a job or a hook file. The value of each secret is a source, or `true` for
  /// the secret with the same name in the top-level `secrets`.
  mutating func jobSecrets(_ node: Node) -> [PlacedSecret] {
    named(node) { reader, name, node in
      guard case .scalar = node, reader.value(node) == .bool(true) else {
        return reader.secret(node, name)
      }
      if let known = reader.shared.first(where: { ExactText($0.name) == ExactText(name) }) {
        return known
      }
      let hint = NearestName.hint(name, among: reader.shared.map(\.name))
      reader.note(
        node,
        "the top-level `secrets` have no valid secret '\(name)'\(hint); add or correct it there")
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
        note(keyNode, "invalid secret name '\(name)': use \(SecretName.rule)")
        continue
      }
      guard let given = read(&self, name, node) else { continue }
      secrets.append(PlacedSecret(given: given, place: keyNode.place))
    }
    return secrets
  }

  private mutating func secret(_ node: Node, _ name: String) -> GivenSecret? {
    if case .scalar = node {
      note(
        node,
        "write the source of the secret, not the value: \(name): { env: VARIABLE }, { file: PATH "
          + "} or { stored: NAME }")
      return nil
    }
    guard let mapping = mapping(node, "a secret") else { return nil }
    let entries = entries(mapping, SecretKeys.all)
    var reading = SecretReading()
    read(entries, of: node, mapping, into: &reading)
    guard let source = reading.source else { return nil }
    var secret = GivenSecret(name: name, source: source)
    if let hosts = entries[SecretKeys.hosts] {
      hosts.key.read(&self, hosts, &reading)
      secret.hosts = reading.hosts
    }
    return secret
  }

  mutating func hosts(_ node: Node) -> [HostPattern] {
    var hosts: [HostPattern] = []
    for (text, node) in texts(node, "hosts") {
      if let host = HostPattern(text) {
        hosts.append(host)
      } else {
        note(
          node, "invalid hostname '\(text)': use names such as example.org or *.example.org, or '*'"
        )
      }
    }
    return hosts
  }

  // MARK: Sources

  /// Reads the first source of a secret. A secret must have exactly one source.
  private mutating func read(
    _ entries: [ConfigValue<SecretReading>], of node: Node, _ mapping: Node.Mapping,
    into reading: inout SecretReading
  ) {
    let sources = entries.filter { $0.name != SecretKeys.hosts }
    guard let source = sources.first else {
      // An unknown key may be a misspelled source. The key has already been reported.
      if entries.count < mapping.count { return }
      let known = SecretKeys.all.all.map(\.name).filter { $0 != SecretKeys.hosts }
      note(node, "the secret has no source; add one of \(known.joined(separator: ", "))")
      return
    }
    if sources.count > 1 {
      note(
        sources[1].keyNode,
        "the secret has more than one source; keep only one of "
          + sources.map(\.name).joined(separator: ", "))
    }
    source.key.read(&self, source, &reading)
  }

  mutating func filled(_ node: Node, _ key: String) -> String? {
    guard let text = text(node, key) else { return nil }
    if text.isEmpty { note(node, "\(key) is empty") }
    return text.isEmpty ? nil : text
  }

  mutating func credential(_ node: Node) -> SecretSource? {
    guard let name = filled(node, "credential") else { return nil }
    if !name.hasSlash, name != ".", name != ".." { return .credential(name) }
    note(node, "`credential` must be the name of a file in $CREDENTIALS_DIRECTORY, without a path")
    return nil
  }

  mutating func stored(_ node: Node) -> SecretSource? {
    guard let name = filled(node, "stored") else { return nil }
    if SecretName.isValid(name) { return .stored(name) }
    note(node, "invalid secret name '\(name)': use \(SecretName.rule)")
    return nil
  }

  mutating func command(_ node: Node) -> SecretSource? {
    guard case .sequence(let list, _) = node, !list.isEmpty else {
      note(
        node,
        "command must be a list of words, such as [pass, show, token]; it runs without a shell")
      return nil
    }
    let words = texts(node, "command").map(\.text)
    guard words.count == list.count else { return nil }
    if words.contains(where: { $0.utf8.contains(0) }) || words[0].isEmpty {
      note(node, "command names no program, or has a NUL byte")
      return nil
    }
    return .command(words)
  }

  // MARK: Access tokens

  mutating func client(_ node: Node) -> OAuthClient? {
    guard let mapping = mapping(node, "oauth2") else { return nil }
    var client = OAuthClient(tokenURL: "", clientID: "")
    let entries = entries(mapping, OAuthKeys.all)
    for entry in entries { entry.key.read(&self, entry, &client) }
    for key in OAuthKeys.all.all where key.entry.isRequired && entries[key.name] == nil {
      note(node, "oauth2 needs \(key.name)")
      return nil
    }
    return client
  }

  /// Reads the address of the token endpoint. Secrets are sent to this address, so the connection
  /// must be encrypted. `localhost` and loopback addresses may be unencrypted, for tests and
  /// gateways.
  mutating func tokenURL(_ node: Node) -> String? {
    guard let text = text(node, "token_url") else { return nil }
    do {
      let target = try TargetURL(text)
      let isHere =
        target.hostname == "localhost" || target.address.map(AddressClass.init) == .loopback
      if target.scheme == .https || target.scheme == .http && isHere { return text }
      note(
        node,
        "`token_url` must begin with https:// (http:// only for localhost or a loopback address),"
          + " because secrets are sent there")
    } catch { note(node, "token_url: \(error.message)") }
    return nil
  }

  mutating func innerSource(_ node: Node, _ name: String) -> SecretSource? {
    guard let mapping = mapping(node, name) else { return nil }
    let entries = entries(mapping, SecretKeys.all)
    for entry in entries where [SecretKeys.hosts, SecretKeys.oauth2].contains(entry.name) {
      note(
        entry.keyNode,
        "`\(entry.name)` is not allowed in \(name): use only a source such as `env`")
      return nil
    }
    var reading = SecretReading()
    read(entries, of: node, mapping, into: &reading)
    return reading.source
  }
}
