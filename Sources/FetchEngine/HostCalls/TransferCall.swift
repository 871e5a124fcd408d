import FetchHost
import FetchModel
import FetchValues

/// The host call `transfer`, whose argument is one table or a list of tables.
///
/// A table of the wrong shape is a mistake of the plugin's author and raises an error. If a path or
/// an address is wrong, only the transfer with that path or address fails.
struct TransferCall {
  static let name = "transfer"
  /// The maximum number of requests in one call.
  static let countMax = 10_000

  /// The requests in order. A request with an invalid path is replaced by its failure.
  var requests: [Result<TransferRequest, Failure>]
  /// Whether the argument was a list, so that the answer must also be a list.
  var isList: Bool

  init(_ call: HostCall) throws(HTTPCallProblem) {
    let values: [Value]
    do { values = try call.values() } catch { throw HTTPCallProblem("transfer: \(error)") }
    switch values.first {
    case .object(let table):
      requests = [try Self.request(table)]
      isList = false
    case .array(let list):
      guard list.count <= Self.countMax else {
        throw HTTPCallProblem(
          "transfer: the list has more than \(Self.countMax) entries; make several calls")
      }
      requests = []
      for entry in list {
        guard let table = entry.objectValue else {
          throw HTTPCallProblem("transfer: each entry of the list must be a table")
        }
        requests.append(try Self.request(table))
      }
      isList = true
    default: throw HTTPCallProblem("transfer: the argument must be a table")
    }
  }

  private static let keys = [
    "url", "to", "sha256", "size", "modified", "headers", "auth", "bearer", "backup",
  ]

  private static func request(
    _ table: ValueObject
  ) throws(HTTPCallProblem) -> Result<TransferRequest, Failure> {
    for key in table.members.map(\.key) where !keys.contains(key) {
      throw HTTPCallProblem(
        "transfer: unknown option '\(key)'\(NearestName.hint(key, among: keys)); options are "
          + keys.joined(separator: ", "))
    }
    let credentials = try TransferCredentials(table)
    guard let url = credentials.sealed?.url?.shown ?? table["url"]?.stringValue else {
      throw HTTPCallProblem("transfer: url must be a UTF-8 string or a secret")
    }
    guard let to = table["to"]?.stringValue else {
      throw HTTPCallProblem("transfer: 'to' must be a UTF-8 string, a path in the job's folder")
    }
    let sha256 = try hash(table["sha256"])
    let size = try size(table["size"])
    let modified = try time(table["modified"])
    let backup = try text(table["backup"], "backup")
    do throws(FilePathProblem) {
      var request = TransferRequest(url: url, to: try FilePath(to))
      (request.sha256, request.size) = (sha256, size)
      (request.modified, request.headers) = (modified, credentials.headers)
      request.sealed = credentials.sealed
      if let backup { request.backup = try FilePath(backup) }
      return .success(request)
    } catch {
      return .failure(Failure(.fileAccess, "\(error)"))
    }
  }

  // MARK: The fields

  private static func text(
    _ value: Value?, _ name: String
  ) throws(HTTPCallProblem) -> String? {
    guard let value, !value.isNull else { return nil }
    guard let text = value.stringValue else {
      throw HTTPCallProblem("transfer: \(name) must be a UTF-8 string")
    }
    return text
  }

  private static func hash(_ value: Value?) throws(HTTPCallProblem) -> [UInt8]? {
    guard let text = try text(value, "sha256") else { return nil }
    guard text.utf8.count == 64, let bytes = Hexadecimal.bytes(of: Array(text.utf8)) else {
      throw HTTPCallProblem("transfer: sha256 must be 64 hexadecimal digits")
    }
    return bytes
  }

  private static func size(_ value: Value?) throws(HTTPCallProblem) -> Int64? {
    guard let value, !value.isNull else { return nil }
    if let size = value.integerValue, size >= 0 { return size }
    if let number = value.numberValue, number >= 0, let size = Int64(exactly: number) {
      return size
    }
    throw HTTPCallProblem("transfer: size must be a whole number of bytes")
  }

  private static func time(_ value: Value?) throws(HTTPCallProblem) -> Timestamp? {
    guard let text = try text(value, "modified") else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw HTTPCallProblem(
        "transfer: modified must be a time such as \"2026-11-20T10:00:00Z\", not "
          + "\"\(text.prefix(40))\"")
    }
    return time
  }

  // MARK: The permission

  /// Returns the reason why a transfer is not permitted; nil if the transfer is permitted.
  static func refusal(of request: TransferRequest, _ grant: Grant) -> Failure? {
    let places = [request.to] + (request.backup.map { [$0] } ?? [])
    if let refusal = places.compactMap(grant.writeRefusal).first { return refusal }
    var asked = HTTPRequest(url: request.url)
    asked.headers = request.headers
    do throws(Failure) {
      if let sealed = request.sealed {
        asked.headers += sealed.headers.map { HTTPField($0.name, "") }
        let target = try sealed.target(plain: request.url)
        if let refusal = sealed.refusal(at: target, grant.secrets) { return refusal }
      }
      let plan = try RequestPlan(asked)
      if plan.target.scheme == .file { return TransferSource.refusal(of: plan.target, grant) }
      return HostGate.check(plan.target, grant)
    } catch {
      return error
    }
  }

  // MARK: The answer

  /// Encodes the answer. For one transfer, the answer is the id, or nil and the failure. For a
  /// list, it has three lists: the ids, the messages and the failure codes. Missing values are
  /// `false`.
  func answer(_ results: [Result<Int64, Failure>]) -> HostCallAnswer {
    guard isList else {
      switch results.first {
      case .success(let id): return .values([.integer(id)])
      case .failure(let failure): return .failure(failure)
      case nil: return .values([.null])
      }
    }
    var ids: [Value] = []
    var messages: [Value] = []
    var codes: [Value] = []
    for result in results {
      switch result {
      case .success(let id):
        ids.append(.integer(id))
        messages.append(.bool(false))
        codes.append(.bool(false))
      case .failure(let failure):
        ids.append(.bool(false))
        messages.append(.string(failure.message))
        codes.append(.string(failure.code.rawValue))
      }
    }
    return .values([.array(ids), .array(messages), .array(codes)])
  }
}

/// The headers and the credentials in the table of a transfer.
struct TransferCredentials {
  /// The headers without secrets, including the `Authorization` header made from plain credentials.
  private(set) var headers: [HTTPField] = []
  /// The parts of the request that contain secrets; nil if there are none.
  let sealed: SealedRequest?

  /// The headers that only the host may set. Values set by a plugin would break the resuming of
  /// transfers. Conditional headers are refused, too: see `RequestHeaders.isConditional`.
  private static let ownHeaders = ["range", "if-range", "accept-encoding"]
  private static let authKeys = ["user", "password", "bearer", "aws"]

  init(_ table: ValueObject) throws(HTTPCallProblem) {
    let auth = try Self.auth(table)
    var request = ValueObject()
    if let url = table["url"] { request.append("url", url) }
    if let headers = table["headers"], !headers.isNull { request.append("headers", headers) }
    if let auth { request.append("auth", .object(auth)) }
    sealed = try HTTPSecrets.sealed(request, of: TransferCall.name)
    headers = try Self.headers(table["headers"])
    if let plain = try Self.authorization(auth, sealed),
      !headers.contains(where: { $0.name.asciiLowercased == "authorization" })
    {
      headers.append(plain)
    }
  }

  /// Returns the table of credentials; nil if there is none. `bearer = x` means `auth = { bearer =
  /// x }`, as in a request of `http`.
  private static func auth(_ table: ValueObject) throws(HTTPCallProblem) -> ValueObject? {
    let value = table["auth"].flatMap { $0.isNull ? nil : $0 }
    if let bearer = table["bearer"], !bearer.isNull {
      guard value == nil else {
        throw HTTPCallProblem("transfer: use either bearer or auth, not both")
      }
      return ValueObject([("bearer", bearer)])
    }
    guard let value else { return nil }
    guard let auth = value.objectValue, !SecretText.isMarked(value) else {
      throw HTTPCallProblem("transfer: auth must be a table")
    }
    for key in auth.members.map(\.key) where !authKeys.contains(key) {
      throw HTTPCallProblem(
        "transfer: auth has no field '\(key)'\(NearestName.hint(key, among: authKeys)); fields are "
          + authKeys.joined(separator: ", "))
    }
    return auth
  }

  private static func headers(_ value: Value?) throws(HTTPCallProblem) -> [HTTPField] {
    guard let value, !value.isNull else { return [] }
    guard let object = value.objectValue, object.count <= HTTPCall.headersMax else {
      throw HTTPCallProblem(
        "transfer: headers must be a table with at most \(HTTPCall.headersMax) names")
    }
    var fields: [HTTPField] = []
    for (name, value) in object.members {
      if ownHeaders.contains(name.lowercased()) || RequestHeaders.isConditional(name) {
        throw HTTPCallProblem(
          "transfer: a plugin may not set the header '\(name)', because only fetchrun may set it")
      }
      if SecretText.isMarked(value) { continue }
      guard let text = value.displayText, !value.isNull else {
        throw HTTPCallProblem(
          "transfer: the header '\(name)' must be a UTF-8 string, a number or a secret")
      }
      fields.append(HTTPField(name, text))
    }
    return fields
  }

  /// Returns the `Authorization` header for plain credentials; nil if there are none, or if the
  /// credentials contain a secret.
  private static func authorization(
    _ auth: ValueObject?, _ sealed: SealedRequest?
  ) throws(HTTPCallProblem) -> HTTPField? {
    func text(_ key: String) throws(HTTPCallProblem) -> String? {
      guard let value = auth?[key], !value.isNull else { return nil }
      guard let text = value.stringValue else {
        throw HTTPCallProblem("transfer: auth.\(key) must be a UTF-8 string or a secret")
      }
      return text
    }
    if sealed?.aws != nil || sealed?.bearer != nil || sealed?.user != nil
      || sealed?.password != nil
    {
      return nil
    }
    if let bearer = try text("bearer") { return HTTPField("Authorization", "Bearer " + bearer) }
    guard let user = try text("user") else { return nil }
    let pair = "\(user):\(try text("password") ?? "")"
    return HTTPField("Authorization", "Basic " + Base64.text(Array(pair.utf8)))
  }
}
