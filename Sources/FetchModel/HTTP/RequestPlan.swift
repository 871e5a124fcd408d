import FetchValues

/// A plugin's checked request for one hop of a redirect chain.
package struct RequestPlan: Equatable, Sendable {
  package var method: String
  package var target: TargetURL
  /// The plugin's checked headers.
  package var headers: [HTTPField]
  package var body: [UInt8]?
  /// The `Authorization` made from basic or bearer credentials.
  package var authorization: String?
  /// Whether all redirects so far were permanent (301, 308), so that the address has moved.
  package var hasMovedForGood = true
  /// The secrets that it carries; nil without secrets.
  package var carried: CarriedSecrets?
  /// See `HTTPHop.hasOldToken`.
  package var hasOldToken = false

  package init(_ request: HTTPRequest) throws(Failure) {
    guard let method = HTTPMethod.known(request.method) else {
      throw Failure(
        .invalidValue, "the method \(request.method.prefix(20)) is not one a plugin may use")
    }
    self.method = method
    target = try TargetURL(request.url)
    headers = request.headers
    body = request.body
    if let failure = RequestHeaders.check(headers) { throw failure }
    authorization = try Self.authorization(of: request)
  }

  package init(_ opened: OpenedRequest) throws(Failure) {
    try self.init(opened.request)
    carried = opened.carried
  }

  private static func authorization(of request: HTTPRequest) throws(Failure) -> String? {
    let value: String
    if let (user, password) = request.basicAuth {
      if user.utf8.contains(UInt8(ascii: ":")) {
        throw Failure(.invalidValue, "a user name for basic authentication has a colon in it")
      }
      value = "Basic " + Base64.text(Array("\(user):\(password)".utf8))
    } else if let token = request.bearerToken {
      value = "Bearer " + token
    } else {
      return nil
    }
    if let failure = RequestHeaders.check([HTTPField("Authorization", value)]) { throw failure }
    return value
  }
}

extension RequestPlan {
  package func hasHeader(_ name: String) -> Bool {
    let name = name.asciiLowercased
    return headers.contains { $0.name.asciiLowercased == name }
  }

  /// Whether the request carries data that could identify or authorise its sender.
  package var hasCredentials: Bool {
    authorization != nil || carried?.aws != nil
      || headers.contains { !RequestHeaders.isSafeAcrossOrigins($0.name) }
  }

  /// Whether the host may add its own validators: never over a plugin's own condition or range.
  package var takesValidators: Bool {
    HTTPMethod.isConditional(method) && body == nil && !isConditional
  }

  /// Whether the answer's body is compared with the previous one; a HEAD has none.
  package var comparesBody: Bool {
    method == "GET" ? takesValidators : HTTPMethod.isQuestion(method) && !isConditional
  }

  private var isConditional: Bool {
    headers.contains { RequestHeaders.isConditional($0.name) }
  }
}
