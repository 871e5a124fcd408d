import FetchModel
import FetchValues

/// A reader of the parts of a request's table that contain secrets.
struct HTTPSecrets {
  /// The name of the host call, with which messages begin.
  private let call: String

  /// Returns the parts of the request that contain secrets; nil if there are none.
  static func sealed(
    _ table: ValueObject, of call: String = "http"
  ) throws(HTTPCallProblem) -> SealedRequest? {
    try HTTPSecrets(call: call).sealed(table)
  }

  private func sealed(_ table: ValueObject) throws(HTTPCallProblem) -> SealedRequest? {
    var sealed = SealedRequest()
    sealed.url = try marked(table["url"], "the url")
    for member in table["headers"]?.objectValue?.members ?? [] {
      for entry in member.value.arrayValue ?? [member.value] {
        guard let text = try marked(entry, "the header '\(member.key)'") else { continue }
        sealed.headers.append(.init(name: member.key, value: text))
      }
    }
    if let body = try marked(table["body"], "the body") { sealed.body = .text(body) }
    if let tree = table["json"] { sealed.body = .json(tree) }
    let auth = table["auth"]
    try readPair(auth, into: &sealed)
    sealed.bearer = try marked(auth?["bearer"], "the bearer token")
    if let aws = auth?["aws"] { sealed.aws = try signer(aws) }
    return sealed.isEmpty ? nil : sealed
  }

  /// Reads the user and the password. If one of them is a secret, both are sealed as the header
  /// `Authorization`.
  private func readPair(
    _ auth: Value?, into sealed: inout SealedRequest
  ) throws(HTTPCallProblem) {
    let pair = [auth?["user"], auth?["password"]]
    guard pair.contains(where: { $0.map(SecretText.isMarked) ?? false }) else { return }
    sealed.user = try pair[0].map { value throws(HTTPCallProblem) in try text(value, "auth.user") }
    sealed.password = try pair[1].map { value throws(HTTPCallProblem) in
      try text(value, "auth.password")
    }
  }

  private func marked(
    _ value: Value?, _ what: String
  ) throws(HTTPCallProblem) -> SecretText? {
    guard let value, SecretText.isMarked(value) else { return nil }
    return try text(value, what)
  }

  private func text(_ value: Value, _ what: String) throws(HTTPCallProblem) -> SecretText {
    do { return try SecretText(wire: value) } catch {
      throw HTTPCallProblem("\(call): \(what) \(error.message)")
    }
  }

  private func signer(_ value: Value) throws(HTTPCallProblem) -> SealedRequest.AWS {
    func plain(_ key: String) throws(HTTPCallProblem) -> String {
      guard let text = value[key]?.stringValue, !text.isEmpty else {
        throw HTTPCallProblem("\(call): auth.aws.\(key) must be a string")
      }
      return text
    }
    guard let key = value["key"], let secret = value["secret"] else {
      throw HTTPCallProblem("\(call): auth.aws needs key, secret, region and service")
    }
    let secretKey = try text(secret, "auth.aws.secret")
    guard !secretKey.names.isEmpty else {
      throw HTTPCallProblem("\(call): auth.aws.secret must be a secret: ctx:secret(\"name\")")
    }
    var aws = SealedRequest.AWS(
      keyID: try text(key, "auth.aws.key"), secretKey: secretKey,
      region: try plain("region"), service: try plain("service"))
    if let token = value["token"] { aws.sessionToken = try text(token, "auth.aws.token") }
    return aws
  }
}
