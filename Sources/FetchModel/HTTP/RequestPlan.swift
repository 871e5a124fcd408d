import FetchValues

/// A request whose method, address and headers the host has checked, for one hop of a redirect
/// chain.
package struct RequestPlan: Equatable, Sendable {
  package var method: String
  package var target: TargetURL
  /// The checked headers of the request. The header from `authorization` is not included.
  package var headers: [HTTPField]
  package var body: [UInt8]?
  /// The value of the `Authorization` header, made from basic or bearer credentials.
  package var authorization: String?
  /// Whether all redirects so far were permanent (301, 308). True before the first redirect.
  package var hasMovedForGood = true
  /// The parts of the request that contain secrets; nil if the request has no secrets.
  package var carried: CarriedSecrets?
  /// Whether the request contains an access token that was obtained for an earlier request: see
  /// `HTTPHop.hasOldToken`.
  package var hasOldToken = false

  package init(_ request: HTTPRequest) throws(Failure) {
    guard let method = HTTPMethod.known(request.method) else {
      throw Failure(
        .invalidValue, "the request method '\(request.method.prefix(20))' is not allowed")
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
        throw Failure(
          .invalidValue,
          "the user name for basic authentication has a colon, which is not allowed")
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
    headers.contains { $0.name.hasSameLetters(as: name) }
  }

  /// Whether the request has headers or AWS credentials that could identify or authorise its
  /// sender.
  package var hasCredentials: Bool {
    authorization != nil || carried?.aws != nil
      || headers.contains { !RequestHeaders.isSafeAcrossOrigins($0.name) }
  }

  /// Whether the host may add stored validators. The request must be a GET or HEAD without a body,
  /// and the plugin must have set no condition and no range.
  package var takesValidators: Bool {
    HTTPMethod.isConditional(method) && body == nil && !isConditional
  }

  /// Whether the body of the answer can be compared with the previous body. The answer to a HEAD
  /// has no body.
  package var comparesBody: Bool {
    method == "GET" ? takesValidators : HTTPMethod.isQuestion(method) && !isConditional
  }

  private var isConditional: Bool {
    headers.contains { RequestHeaders.isConditional($0.name) }
  }
}
