import FetchHost
import FetchModel
import FetchValues

/// The host call `http.request`. It reads the arguments of the call and encodes the answer.
enum HTTPCall {
  static let name = "http.request"
  static let headersMax = 100

  /// Answers a call. `send` sends the request. If the window (the time limit) was suspended during
  /// the request, the answer includes the length of the suspension.
  static func answer(
    _ call: HostCall, waits: TurnWaits? = nil,
    _ send: (HTTPRequest) async -> Result<HTTPAnswer, Failure>
  ) async -> HostCallAnswer {
    let request: HTTPRequest
    do { request = try Self.request(call) } catch { return .raises(error.message) }
    let before = waits?.total ?? .zero
    let result = await send(request)
    let waited = (waits?.total ?? .zero) - before
    switch result {
    case .success(let answer): return Self.answer(answer, waited: waited)
    case .failure(let failure):
      return waited > .zero ? .failure(failure, seconds(waited)) : .failure(failure)
    }
  }

  private static func seconds(_ duration: Duration) -> Value { .number(duration / .seconds(1)) }

  /// Returns the request that the first argument, a table, describes. Throws an `HTTPCallProblem`
  /// if the argument is invalid. The caller raises the problem as an error in Lua.
  static func request(_ call: HostCall) throws(HTTPCallProblem) -> HTTPRequest {
    let table = try table(call)
    var request = HTTPRequest(url: table["url"]?.stringValue ?? "")
    request.sealed = try HTTPSecrets.sealed(table)
    guard request.sealed?.url != nil || table["url"]?.stringValue != nil else {
      throw HTTPCallProblem("http: url must be a UTF-8 string or a secret")
    }
    request.method = try text(table["method"], "method")?.uppercased() ?? "GET"
    request.headers = try headers(table["headers"])
    request.body = try body(table["body"])
    request.timeout = try timeout(table["timeout"])
    request.conditional = try flag(table, "conditional")
    request.followRedirects = try flag(table, "redirects")
    try setAuth(table["auth"], in: &request)
    return request
  }

  /// Sets the credentials that are not secret. `HTTPSecrets` reads the others.
  private static func setAuth(
    _ value: Value?, in request: inout HTTPRequest
  ) throws(HTTPCallProblem) {
    guard let value, !value.isNull else { return }
    guard let auth = value.objectValue, !SecretText.isMarked(value) else {
      throw HTTPCallProblem("http: auth must be a table")
    }
    request.bearerToken = try credential(auth["bearer"], "auth.bearer")
    let user = try credential(auth["user"], "auth.user")
    let password = try credential(auth["password"], "auth.password")
    if let user { request.basicAuth = (user, password ?? "") }
  }

  private static func credential(
    _ value: Value?, _ name: String
  ) throws(HTTPCallProblem) -> String? {
    if let value, SecretText.isMarked(value) { return nil }
    return try text(value, name, "a UTF-8 string or a secret")
  }

  private static func text(
    _ value: Value?, _ name: String, _ wanted: String = "a UTF-8 string"
  ) throws(HTTPCallProblem) -> String? {
    guard let value, !value.isNull else { return nil }
    guard let text = value.stringValue else {
      throw HTTPCallProblem("http: \(name) must be \(wanted)")
    }
    return text
  }

  private static func table(_ call: HostCall) throws(HTTPCallProblem) -> ValueObject {
    let values: [Value]
    do { values = try call.values() } catch { throw HTTPCallProblem("http: \(error)") }
    guard let table = values.first?.objectValue else {
      throw HTTPCallProblem("http: the argument must be a table")
    }
    return table
  }

  private static func headers(_ value: Value?) throws(HTTPCallProblem) -> [HTTPField] {
    guard let value else { return [] }
    guard let object = value.objectValue, object.count <= headersMax else {
      throw HTTPCallProblem("http: headers must be a table with at most \(headersMax) names")
    }
    var fields: [HTTPField] = []
    for (name, value) in object.members {
      for entry in value.arrayValue ?? [value] where !SecretText.isMarked(entry) {
        guard let text = entry.displayText, !entry.isNull else {
          throw HTTPCallProblem(
            "http: the header '\(name)' must be a UTF-8 string, a number or a secret")
        }
        fields.append(HTTPField(name, text))
      }
    }
    return fields
  }

  private static func body(_ value: Value?) throws(HTTPCallProblem) -> [UInt8]? {
    switch value {
    case nil, .null: return nil
    case .string(let text): return Array(text.utf8)
    case .bytes(let bytes): return bytes
    case .object where SecretText.isMarked(value ?? .null): return nil
    default:
      throw HTTPCallProblem(
        "http: body must be a string or a secret; for a table use `json` or `form`")
    }
  }

  /// Returns the timeout from a number of seconds; nil if the request sets no timeout.
  private static func timeout(_ value: Value?) throws(HTTPCallProblem) -> Duration? {
    guard let value, !value.isNull else { return nil }
    guard let seconds = value.numberValue, seconds >= 0.001, seconds <= 86_400 else {
      throw HTTPCallProblem("http: timeout must be a number of seconds from 0.001 to 86400")
    }
    return .milliseconds(Int64(seconds * 1000))
  }

  private static func flag(_ table: ValueObject, _ name: String) throws(HTTPCallProblem) -> Bool {
    switch table[name] {
    case nil, .null: return true
    case .bool(let flag): return flag
    default: throw HTTPCallProblem("http: \(name) must be true or false")
    }
  }

  /// Returns a list with one table: `status`, `url`, `headers`, `body`, `not_modified` and
  /// `same_body`. If the window was suspended, the list also has the length of the suspension in
  /// seconds.
  static func answer(_ answer: HTTPAnswer, waited: Duration = .zero) -> HostCallAnswer {
    var writer = ValueWriter(reserving: answer.body.count + 1024)
    writer.beginArray(count: waited > .zero ? 2 : 1)
    writer.beginObject(count: 6)
    writer.write("status" as StaticString)
    writer.write(answer.status)
    writer.write("url" as StaticString)
    writer.write(answer.url)
    writer.write("not_modified" as StaticString)
    writer.write(answer.notModified)
    writer.write("same_body" as StaticString)
    writer.write(answer.sameBody)
    writer.write("headers" as StaticString)
    let headers = joined(answer.headers)
    writer.beginObject(count: headers.count)
    for field in headers {
      writer.write(field.name)
      writer.write(field.value)
    }
    writer.write("body" as StaticString)
    writer.write(bytes: answer.body)
    if waited > .zero { writer.write(seconds(waited)) }
    return .returns(writer.bytes)
  }

  /// Joins the lines of each header into one value, separated by commas (RFC 9110 section 5.3).
  /// Lines of `set-cookie` are separated by line breaks, since their values may contain commas.
  private static func joined(_ fields: [HTTPField]) -> [HTTPField] {
    var joined: [HTTPField] = []
    for field in fields {
      if let index = joined.firstIndex(where: { $0.name == field.name }) {
        joined[index].value += (field.name == "set-cookie" ? "\n" : ", ") + field.value
      } else {
        joined.append(field)
      }
    }
    return joined
  }
}

/// A mistake in the arguments of a call of `http` or `transfer`, for the plugin's author.
struct HTTPCallProblem: Error {
  var message: String
  init(_ message: String) { self.message = message }
}

/// A reader of the parts of a request's table that contain secrets.
struct HTTPSecrets {
  /// The name with which messages begin: `http` or `transfer`.
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

  /// Reads the user and the password if at least one of them is a secret.
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
        throw HTTPCallProblem("\(call): auth.aws.\(key) must be a non-empty string")
      }
      return text
    }
    guard let key = value["key"], let secret = value["secret"] else {
      throw HTTPCallProblem("\(call): auth.aws needs key, secret, region and service")
    }
    guard let secretKey = try marked(secret, "auth.aws.secret"), !secretKey.names.isEmpty else {
      throw HTTPCallProblem("\(call): auth.aws.secret must be a secret: ctx:secret(\"name\")")
    }
    var aws = SealedRequest.AWS(
      keyID: try text(key, "auth.aws.key"), secretKey: secretKey,
      region: try plain("region"), service: try plain("service"))
    if let token = value["token"] { aws.sessionToken = try text(token, "auth.aws.token") }
    return aws
  }
}
