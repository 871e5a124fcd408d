package import FetchValues

/// The cookies of one run: kept from its answers, sent with its later requests, gone with it.
package struct CookieJar: Equatable, Sendable {
  package private(set) var cookies: [Cookie] = []

  /// All together, and for one domain: a run that needs more is not fetching.
  package static let countMax = 300
  package static let perDomainMax = 50

  package init() {}

  /// Takes one `Set-Cookie` value that `target` sent.
  package mutating func keep(_ header: String, from target: TargetURL, now: Timestamp) {
    guard let cookie = Cookie(header, from: target, now: now) else { return }
    let old = cookies.firstIndex { cookie.replaces($0) }
    if let expiresAt = cookie.expiresAt, expiresAt <= now {
      if let old { cookies.remove(at: old) }
    } else if let old {
      cookies[old] = cookie
    } else if cookies.count < Self.countMax,
      cookies.count(where: { $0.domain == cookie.domain }) < Self.perDomainMax
    {
      cookies.append(cookie)
    }
  }

  /// The value of the `Cookie` header for that address; nil when there is nothing to send.
  /// Longer paths first, then in the order they came (RFC 6265 section 5.4).
  package func header(for target: TargetURL, now: Timestamp) -> String? {
    let matching = cookies.enumerated().filter { $0.element.matches(target, now: now) }
    if matching.isEmpty { return nil }
    let sorted = matching.sorted {
      let lengths = ($0.element.path.utf8.count, $1.element.path.utf8.count)
      return lengths.0 == lengths.1 ? $0.offset < $1.offset : lengths.0 > lengths.1
    }
    return sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
  }
}
