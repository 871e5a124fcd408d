import FetchValues

/// The methods that a plugin may use: those of HTTP and WebDAV. All others are refused.
package enum HTTPMethod {
  private static let idempotent: Set<String> = [
    "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE",
    "UNLOCK", "REPORT", "SEARCH", "MKCALENDAR",
  ]
  private static let others: Set<String> = ["POST", "PATCH", "LOCK"]

  /// Returns the method in upper case; nil if it is not allowed.
  package static func known(_ name: String) -> String? {
    guard name.utf8.allSatisfy(\.isASCIILetter) else { return nil }
    let upper = name.uppercased()
    return idempotent.contains(upper) || others.contains(upper) ? upper : nil
  }

  /// Whether repeating the request changes nothing (RFC 9110 section 9.2.2, RFC 4918).
  package static func isIdempotent(_ method: String) -> Bool { idempotent.contains(method) }

  /// Whether an answer may be a 304 that confirms the previous body.
  package static func isConditional(_ method: String) -> Bool {
    method == "GET" || method == "HEAD"
  }

  /// Whether it is a query with a body that changes nothing: an equal answer body has the same
  /// meaning as the previous one (RFC 4918 section 9.1, RFC 3253 section 3.6, RFC 5323). There is
  /// no 304 for it.
  package static func isQuestion(_ method: String) -> Bool {
    method == "PROPFIND" || method == "REPORT" || method == "SEARCH"
  }

  /// Whether an empty body is sent with `Content-Length: 0` (RFC 9110 section 8.6).
  package static func expectsBody(_ method: String) -> Bool {
    method == "POST" || method == "PUT" || method == "PATCH"
  }
}
