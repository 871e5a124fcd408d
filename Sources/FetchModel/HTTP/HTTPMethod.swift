import FetchValues

/// The methods that a plugin may use: those of HTTP and WebDAV. All other methods are refused.
package enum HTTPMethod {
  private static let idempotent: Set<String> = [
    "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE",
    "UNLOCK", "REPORT", "SEARCH", "MKCALENDAR",
  ]
  private static let others: Set<String> = ["POST", "PATCH", "LOCK"]

  /// Returns the method in upper case; nil if plugins may not use the method.
  package static func known(_ name: String) -> String? {
    guard name.utf8.allSatisfy(\.isASCIILetter) else { return nil }
    let upper = name.uppercased()
    return idempotent.contains(upper) || others.contains(upper) ? upper : nil
  }

  /// Whether sending the request several times has the same effect as sending it once (RFC 9110
  /// section 9.2.2, RFC 4918).
  package static func isIdempotent(_ method: String) -> Bool { idempotent.contains(method) }

  /// Whether the server may answer this method with a 304, which confirms the previous body.
  package static func isConditional(_ method: String) -> Bool {
    method == "GET" || method == "HEAD"
  }

  /// Whether the method is a query that changes nothing and has a body: `PROPFIND`, `REPORT` or
  /// `SEARCH` (RFC 4918 section 9.1, RFC 3253 section 3.6, RFC 5323). If the answer's body equals
  /// the previous body, nothing has changed. Servers send no 304 for these methods.
  package static func isQuestion(_ method: String) -> Bool {
    method == "PROPFIND" || method == "REPORT" || method == "SEARCH"
  }

  /// Whether a request with an empty body has the header `Content-Length: 0` (RFC 9110 section
  /// 8.6).
  package static func expectsBody(_ method: String) -> Bool {
    method == "POST" || method == "PUT" || method == "PATCH"
  }
}
