package import FetchValues

/// What of a request has secrets in it, by their names: the host puts the values in when it sends.
///
/// What stands in here goes before the plain field of the request it belongs to.
package struct SealedRequest: Equatable, Sendable {
  package enum Body: Equatable, Sendable {
    case text(SecretText)
    /// Sent as JSON; marked objects in it (`SecretText.mark`) stand for strings.
    case json(Value)
  }

  package struct Header: Equatable, Sendable {
    package var name: String
    package var value: SecretText

    package init(name: String, value: SecretText) {
      self.name = name
      self.value = value
    }
  }

  package struct AWS: Equatable, Sendable {
    package var keyID: SecretText
    package var secretKey: SecretText
    package var sessionToken: SecretText?
    package var region: String
    package var service: String

    package init(keyID: SecretText, secretKey: SecretText, region: String, service: String) {
      self.keyID = keyID
      self.secretKey = secretKey
      self.region = region
      self.service = service
    }
  }

  package var url: SecretText?
  package var headers: [Header] = []
  package var body: Body?
  package var user: SecretText?
  package var password: SecretText?
  package var bearer: SecretText?
  package var aws: AWS?

  package init() {}

  package var isEmpty: Bool { self == SealedRequest() }
}

extension SealedRequest {
  /// All but those of the body.
  package var texts: [SecretText] {
    [url, user, password, bearer, aws?.keyID, aws?.secretKey, aws?.sessionToken].compactMap { $0 }
      + headers.map(\.value)
  }

  /// Each name once, in no particular order of the request.
  package var names: [String] {
    var names = bodyNames
    for name in texts.flatMap(\.names) where !names.contains(name) { names.append(name) }
    return names
  }

  /// Those that a redirect could take along to another hostname.
  package var bodyNames: [String] {
    switch body {
    case nil: []
    case .text(let text): text.names
    case .json(let value): Self.names(in: value)
    }
  }

  private static func names(in value: Value) -> [String] {
    var found: [String] = []
    for text in texts(in: value) {
      for name in text.names where !found.contains(name) { found.append(name) }
    }
    return found
  }

  private static func texts(in value: Value) -> [SecretText] {
    if SecretText.isMarked(value) { return (try? SecretText(wire: value)).map { [$0] } ?? [] }
    switch value {
    case .array(let list): return list.flatMap(texts)
    case .object(let object): return object.members.flatMap { texts(in: $0.value) }
    default: return []
    }
  }
}
