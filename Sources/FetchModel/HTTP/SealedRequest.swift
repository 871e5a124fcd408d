package import FetchValues

/// The parts of a request that refer to secrets by name. The host inserts the values when it sends
/// the request.
///
/// The headers are added to the request's other headers. Every other part overrides the same part
/// without secrets.
package struct SealedRequest: Equatable, Sendable {
  package enum Body: Equatable, Sendable {
    case text(SecretText)
    /// JSON in which each string with secrets is replaced by a marked object (`SecretText.mark`).
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
  /// All texts of the request that may contain secrets, except the texts in the body.
  package var texts: [SecretText] {
    [url, user, password, bearer, aws?.keyID, aws?.secretKey, aws?.sessionToken].compactMap { $0 }
      + headers.map(\.value)
  }

  /// The names of all secrets in the request, without duplicates, in no particular order.
  package var names: [String] {
    var names = bodyNames
    for name in texts.flatMap(\.names) where !names.contains(name) { names.append(name) }
    return names
  }

  /// The names of the secrets in the body.
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

/// The form in which a transfer stores a sealed request. It contains the names of secrets, but
/// never their values, and no body.
extension SealedRequest {
  package var stored: Value {
    var object = ValueObject()
    func add(_ key: String, _ text: SecretText?) {
      if let text { object.append(key, text.wire) }
    }
    add("url", url)
    add("user", user)
    add("password", password)
    add("bearer", bearer)
    if !headers.isEmpty {
      let pairs = headers.map { Value.array([.string($0.name), $0.value.wire]) }
      object.append("headers", .array(pairs))
    }
    if let aws { object.append("aws", aws.stored) }
    return .object(object)
  }

  /// Reads the stored form; nil if a text, a header or the AWS credentials are invalid.
  package init?(stored value: Value) {
    do throws(SecretProblem) {
      self.init()
      url = try Self.text(value["url"])
      user = try Self.text(value["user"])
      password = try Self.text(value["password"])
      bearer = try Self.text(value["bearer"])
      for pair in value["headers"]?.arrayValue ?? [] {
        guard let pair = pair.arrayValue, pair.count == 2, let name = pair[0].stringValue else {
          return nil
        }
        headers.append(Header(name: name, value: try SecretText(wire: pair[1])))
      }
      if let value = value["aws"] {
        guard let aws = try AWS(stored: value) else { return nil }
        self.aws = aws
      }
    } catch {
      return nil
    }
  }

  fileprivate static func text(_ value: Value?) throws(SecretProblem) -> SecretText? {
    guard let value else { return nil }
    return try SecretText(wire: value)
  }
}

extension SealedRequest.AWS {
  fileprivate var stored: Value {
    var object = ValueObject([
      ("key", keyID.wire), ("secret", secretKey.wire), ("region", .string(region)),
      ("service", .string(service)),
    ])
    if let sessionToken { object.append("token", sessionToken.wire) }
    return .object(object)
  }

  fileprivate init?(stored value: Value) throws(SecretProblem) {
    guard let key = value["key"], let secret = value["secret"],
      let region = value["region"]?.stringValue, let service = value["service"]?.stringValue
    else { return nil }
    self.init(
      keyID: try SecretText(wire: key), secretKey: try SecretText(wire: secret), region: region,
      service: service)
    sessionToken = try SealedRequest.text(value["token"])
  }
}

extension SealedRequest {
  /// Returns the address up to the first secret in `url`, or `plain` if `url` is nil. Throws an
  /// error for an invalid address, for a `file:` address, and if a secret could change the
  /// hostname.
  package func target(plain: String) throws(Failure) -> TargetURL {
    let target: TargetURL
    if let url { target = try SealedAddress.place(url) } else { target = try TargetURL(plain) }
    if target.scheme == .file { throw SealedAddress.toFile }
    return target
  }

  /// Returns a failure if a secret of the request may not be sent to the address; nil if all
  /// secrets may be sent.
  package func refusal(at target: TargetURL, _ grants: [SecretGrant]) -> Failure? {
    for name in names {
      guard let grant = grants.first(where: { ExactText($0.name) == ExactText(name) }) else {
        return SecretGrant.missing(name)
      }
      if let failure = grant.check(target) { return failure }
    }
    return nil
  }
}

extension SecretGrant {
  package static func missing(_ name: String) -> Failure {
    Failure(.permission, "the job has no secret '\(name)'; add it to `secrets` of the job")
  }
}

/// The rule for secrets in an address. Secrets are allowed only in the path or the query.
package enum SealedAddress {
  /// Returns the part of the address before the first secret. Throws an error unless this part is a
  /// server's address and includes the `/` or `?` after the hostname.
  package static func place(_ text: SecretText) throws(Failure) -> TargetURL {
    var start = ""
    for case .text(let part) in text.parts.prefix(while: \.isText) { start += part }
    guard !start.isEmpty else { throw refused }
    let target = try TargetURL(start)
    guard target.scheme != .file else { throw toFile }
    let afterScheme = start.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
    guard afterScheme.contains(where: { "/?".utf8.contains($0) }) else { throw refused }
    return target
  }

  package static let toFile = Failure(
    .permission,
    "a secret cannot be used in a 'file:' address, because only servers may receive secrets")

  private static let refused = Failure(
    .permission,
    "a secret is only allowed in the path and the query of an address, after the / or ? that "
      + "follows the hostname")
}
