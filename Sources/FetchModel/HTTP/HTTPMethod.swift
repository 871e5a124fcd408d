import FetchValues

/// The methods a plugin may use: HTTP's own and WebDAV's; everything else is refused.
package enum HTTPMethod {
  private static let idempotent: Set<String> = [
    "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE",
    "UNLOCK", "REPORT", "SEARCH", "MKCALENDAR",
  ]
  private static let others: Set<String> = ["POST", "PATCH", "LOCK"]

  /// Upper case; nil for a method that is not allowed.
  package static func known(_ name: String) -> String? {
    guard name.utf8.allSatisfy(\.isASCIILetter) else { return nil }
    let upper = name.uppercased()
    return idempotent.contains(upper) || others.contains(upper) ? upper : nil
  }

  /// Whether sending the request twice is as good as once (RFC 9110 section 9.2.2, RFC 4918).
  package static func isIdempotent(_ method: String) -> Bool { idempotent.contains(method) }

  /// Whether an answer may be a 304 that stands for last time's body.
  package static func isConditional(_ method: String) -> Bool {
    method == "GET" || method == "HEAD"
  }

  /// Whether it asks, with a body that says for what, and changes nothing: an answer with the body of
  /// last time's says then what it said (RFC 4918 section 9.1, RFC 3253 section 3.6, RFC 5323). No 304
  /// stands for one.
  package static func isQuestion(_ method: String) -> Bool {
    method == "PROPFIND" || method == "REPORT" || method == "SEARCH"
  }

  /// Whether an empty body is sent with `Content-Length: 0` (RFC 9110 section 8.6).
  package static func expectsBody(_ method: String) -> Bool {
    method == "POST" || method == "PUT" || method == "PATCH"
  }
}
