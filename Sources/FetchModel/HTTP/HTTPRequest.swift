import FetchValues

/// A request that the host has not yet checked against a grant.
package struct HTTPRequest: Equatable, Sendable {
  package var method = "GET"
  package var url: String
  package var headers: [HTTPField] = []
  package var body: [UInt8]?
  /// The user name and password for basic authentication (RFC 7617). They are not sent after a
  /// redirect to another origin.
  package var basicAuth: (user: String, password: String)?
  /// A bearer token (RFC 6750). It is not sent after a redirect to another origin.
  package var bearerToken: String?
  /// The time limit of this request, including redirects and a retry; nil for the default. Some
  /// waits before the request is sent do not count: see `TurnWaits`.
  package var timeout: Duration?
  package var followRedirects = true
  /// Whether the host may send stored validators, and compares the body with the previous body.
  package var conditional = true
  /// The parts of the request that contain secrets. The headers are added to `headers`. Each other
  /// part, such as the body, replaces the part without secrets.
  package var sealed: SealedRequest?

  package init(url: String) { self.url = url }

  package static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
    left.method == right.method && left.url == right.url && left.headers == right.headers
      && left.body == right.body && left.basicAuth?.user == right.basicAuth?.user
      && left.basicAuth?.password == right.basicAuth?.password
      && left.bearerToken == right.bearerToken && left.timeout == right.timeout
      && left.followRedirects == right.followRedirects && left.conditional == right.conditional
      && left.sealed == right.sealed
  }
}

/// The methods that a plugin may use: the usual methods of HTTP and WebDAV. All other methods are
/// refused.
package enum HTTPMethod {
  private static let idempotent = [
    "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE",
    "UNLOCK", "REPORT", "SEARCH", "MKCALENDAR",
  ]
  private static let others = ["POST", "PATCH", "LOCK"]

  /// Returns the method in upper case; nil if plugins may not use the method.
  package static func known(_ name: String) -> String? {
    guard name.utf8.allSatisfy(\.isASCIILetter) else { return nil }
    let upper = name.uppercased()
    return idempotent.contains(upper) || others.contains(upper) ? upper : nil
  }

  /// Whether sending a request with this method several times has the same effect as sending it
  /// once (RFC 9110 section 9.2.2, RFC 4918).
  package static func isIdempotent(_ method: String) -> Bool { idempotent.contains(method) }

  /// Whether the server may answer this method with a 304, which confirms the previous body.
  package static func isConditional(_ method: String) -> Bool {
    method == "GET" || method == "HEAD"
  }

  /// Whether the method is `PROPFIND`, `REPORT` or `SEARCH` (RFC 4918 section 9.1, RFC 3253 section
  /// 3.6, RFC 5323). These are queries that change nothing and may have a body. The host compares
  /// the bodies of their answers instead of sending validators.
  package static func isQuestion(_ method: String) -> Bool {
    method == "PROPFIND" || method == "REPORT" || method == "SEARCH"
  }

  /// Whether a request with this method but without a body has the header `Content-Length: 0` (RFC
  /// 9110 section 8.6).
  package static func expectsBody(_ method: String) -> Bool {
    method == "POST" || method == "PUT" || method == "PATCH"
  }
}

/// The answer to a request, from a server or for a file, after redirects, decompression and the
/// check of limits. An answer may have any status.
package struct HTTPAnswer: Equatable, Sendable {
  package var status: Int
  /// The headers with lower-case names, in the order received. After redirects, these are the
  /// headers of the last answer.
  package var headers: [HTTPField] = []
  package var body: [UInt8] = []
  /// The address from which the answer came, after redirects.
  package var url: String
  /// The address to which the permanent redirects (301, 308) at the start of the redirect chain
  /// led. Later requests should use this address. Nil if the chain does not begin with a permanent
  /// redirect.
  package var movedTo: String?
  /// Whether the status is 304 (Not Modified): the content has not changed since an earlier answer.
  package var notModified = false
  /// Whether the body has the same hash as the last full body stored for this request. Always false
  /// if `HTTPRequest.conditional` is false.
  package var sameBody = false
  /// The number of bytes received for this answer, including redirects and a retry.
  package var receivedBytes = 0
  /// The number of requests sent for this answer, including redirects and a retry.
  package var requestCount = 1

  package init(status: Int, url: String) {
    self.status = status
    self.url = url
  }

  /// Returns the first value of the header with the given name. The case of the name does not
  /// matter.
  package func header(_ name: String) -> String? {
    let wanted = name.asciiLowercased
    return headers.first { $0.name == wanted }?.value
  }
}
