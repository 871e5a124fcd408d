import FetchValues

/// A request with its secrets' values inserted, and the list of its parts that contain secrets.
package struct OpenedRequest: Sendable {
  package var request: HTTPRequest
  package var carried = CarriedSecrets()
}

/// The headers, body and AWS credentials of a request that contain secrets. A redirect to another
/// origin drops these headers and credentials. `RedirectRule` refuses most redirects that would
/// send a body to another origin.
package struct CarriedSecrets: Equatable, Sendable {
  /// The names of the headers with secrets, in lower case.
  package var headers: Set<String> = []
  /// The names of the secrets in the body.
  package var body: [String] = []
  package var aws: AWSCredentials?

  package init() {}
}

extension SealedRequest {
  /// Returns the request with the values of its secrets inserted. `value` returns the value of the
  /// secret with the given name.
  package func opened(
    in request: HTTPRequest, _ value: (String) throws(Failure) -> SecretValue
  ) throws(Failure) -> OpenedRequest {
    var opened = OpenedRequest(request: request)
    opened.request.sealed = nil
    if let url { opened.request.url = try url.opened(spelling: .url, value) }
    for header in headers {
      opened.request.headers.append(HTTPField(header.name, try header.value.opened(value)))
      opened.carried.headers.insert(header.name.asciiLowercased)
    }
    try openBody(&opened, value)
    if let bearer { opened.request.bearerToken = try bearer.opened(value) }
    if user != nil || password != nil {
      opened.request.basicAuth = (
        try user?.opened(value) ?? "", try password?.opened(value) ?? ""
      )
    }
    if let aws { opened.carried.aws = try aws.opened(value) }
    return opened
  }

  private func openBody(
    _ opened: inout OpenedRequest, _ value: (String) throws(Failure) -> SecretValue
  ) throws(Failure) {
    switch body {
    case nil: return
    case .text(let text): opened.request.body = Array(try text.opened(value).utf8)
    case .json(let tree):
      let filled = try Self.filled(tree, value)
      do { opened.request.body = Array(try JSONWriter.text(filled).utf8) } catch {
        throw Failure(.invalidValue, "the request's json cannot be encoded: \(error.problem)")
      }
    }
    opened.carried.body = bodyNames
  }

  private static func filled(
    _ value: Value, _ secret: (String) throws(Failure) -> SecretValue
  ) throws(Failure) -> Value {
    if SecretText.isMarked(value) {
      guard let text = try? SecretText(wire: value) else {
        throw Failure(.invalidValue, "the request's json has an invalid reference to a secret")
      }
      return .string(try text.opened(secret))
    }
    switch value {
    case .array(let list):
      var filled: [Value] = []
      for element in list { filled.append(try Self.filled(element, secret)) }
      return .array(filled)
    case .object(let object):
      var filled = ValueObject()
      for member in object.members {
        filled.append(member.key, try Self.filled(member.value, secret))
      }
      return .object(filled)
    default: return value
    }
  }
}

extension SealedRequest.AWS {
  func opened(
    _ value: (String) throws(Failure) -> SecretValue
  ) throws(Failure) -> AWSCredentials {
    try Self.checkScope(region, "region")
    try Self.checkScope(service, "service")
    var credentials = AWSCredentials(
      keyID: try keyID.opened(value), secretKey: SecretValue(try secretKey.opened(value)),
      region: region, service: service)
    credentials.sessionToken = try sessionToken.map { text throws(Failure) in
      SecretValue(try text.opened(value))
    }
    try Self.checkText(credentials.keyID, "key")
    try Self.checkText(credentials.sessionToken?.text ?? "", "token")
    return credentials
  }

  /// The maximum length of a region or a service, in bytes. The longest names of AWS have about 30.
  private static let scopeBytesMax = 64

  /// Checks a region or a service. Both are parts of a header, so a line break in them would begin
  /// a second header or a second request.
  private static func checkScope(_ text: String, _ name: String) throws(Failure) {
    let isWord = text.utf8.allSatisfy { byte in
      byte.isASCIILetter || byte.isASCIIDigit || "-_.".utf8.contains(byte)
    }
    guard isWord, (1...scopeBytesMax).contains(text.utf8.count) else {
      throw Failure(
        .invalidValue,
        "invalid auth.aws.\(name): use 1 to \(scopeBytesMax) ASCII letters, digits and -_.")
    }
  }

  /// Checks the key id or the session token, which are also parts of headers.
  private static func checkText(_ text: String, _ name: String) throws(Failure) {
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Failure(
        .invalidValue, "invalid auth.aws.\(name): use only printable ASCII characters")
    }
  }
}
