import FetchModel
import FetchValues

/// The headers and the credentials in the table of a transfer.
struct TransferCredentials {
  /// The headers without secrets, including the headers made from plain credentials.
  private(set) var headers: [HTTPField] = []
  /// The parts of the request that contain secrets; nil if there are none.
  let sealed: SealedRequest?

  /// The headers that only the host may set. Values set by a plugin would break the resuming of
  /// transfers.
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

  /// Returns the table of credentials. `bearer = x` means `auth = { bearer = x }`, as in a request
  /// of `http`.
  private static func auth(_ table: ValueObject) throws(HTTPCallProblem) -> ValueObject? {
    if let bearer = table["bearer"], !bearer.isNull { return ValueObject([("bearer", bearer)]) }
    guard let value = table["auth"], !value.isNull else { return nil }
    guard let auth = value.objectValue, !SecretText.isMarked(value) else {
      throw HTTPCallProblem("transfer: auth must be a table")
    }
    for key in auth.members.map(\.key) where !authKeys.contains(key) {
      throw HTTPCallProblem(
        "transfer: auth has no field '\(key)'\(NearestName.hint(key, among: authKeys)); use "
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
        throw HTTPCallProblem("transfer: the host sets the header '\(name)'")
      }
      if SecretText.isMarked(value) { continue }
      guard let text = value.displayText, !value.isNull else {
        throw HTTPCallProblem("transfer: the header '\(name)' must be a string")
      }
      fields.append(HTTPField(name, text))
    }
    return fields
  }

  /// Returns the `Authorization` header for credentials without a secret.
  private static func authorization(
    _ auth: ValueObject?, _ sealed: SealedRequest?
  ) throws(HTTPCallProblem) -> HTTPField? {
    func text(_ key: String) throws(HTTPCallProblem) -> String? {
      guard let value = auth?[key], !value.isNull else { return nil }
      guard let text = value.stringValue else {
        throw HTTPCallProblem("transfer: auth.\(key) must be a string")
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
