import FetchValues

/// The rule for the next request after a redirect (RFC 9110 section 15.4). It decides the target,
/// the method and the data of the request. The methods follow "HTTP-redirect fetch" in the Fetch
/// standard.
package enum RedirectRule {
  private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  package static func isRedirect(_ status: Int) -> Bool { statuses.contains(status) }

  /// Returns the next request; nil if the answer is not a redirect. A redirect has the header
  /// `Location` and the status 301, 302, 303, 307 or 308. Throws an error if the redirect is
  /// invalid or not allowed.
  package static func next(
    after plan: RequestPlan, status: Int, location: String?
  ) throws(Failure) -> RequestPlan? {
    guard statuses.contains(status), let location, !location.isEmpty else { return nil }
    var next = plan
    next.target = try target(location, from: plan.target)
    next.hasMovedForGood = plan.hasMovedForGood && (status == 301 || status == 308)
    if becomesGet(plan.method, status) {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { RequestHeaders.describesBody($0.name) }
      next.carried?.body = []
    }
    if !next.target.isSameOrigin(as: plan.target) {
      try refuseDowngrade(of: plan, to: next)
      try refuseBody(of: next, from: plan.target)
      next.authorization = nil
      let withSecret = plan.carried?.headers ?? []
      next.headers.removeAll {
        !RequestHeaders.isSafeAcrossOrigins($0.name) || withSecret.contains($0.name.asciiLowercased)
      }
      next.carried?.headers = []
      next.carried?.aws = nil
    }
    return next
  }

  private static func target(
    _ location: String, from base: TargetURL
  ) throws(Failure) -> TargetURL {
    let target: TargetURL
    do {
      target = try base.resolving(withoutSpaces(location))
    } catch {
      throw Failure(.redirect, "\(base.authority) sent an invalid redirect: \(error.message)")
    }
    guard target.scheme != .file else {
      throw Failure(
        .redirect, "\(base.authority) redirects to a file: fetchrun did not follow the redirect")
    }
    return target
  }

  /// Returns the location without spaces at its ends, and with `%20` instead of each space inside
  /// it. Some servers send unencoded addresses. Browsers and curl also follow `/a b` as `/a%20b`.
  private static func withoutSpaces(_ location: String) -> String {
    guard location.utf8.contains(UInt8(ascii: " ")) else { return location }
    var bytes = Array(location.utf8)[...]
    while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    let written = bytes.flatMap { $0 == UInt8(ascii: " ") ? Array("%20".utf8) : [$0] }
    return String(decoding: written, as: UTF8.self)
  }

  private static func becomesGet(_ method: String, _ status: Int) -> Bool {
    switch status {
    case 301, 302: method == "POST"
    case 303: method != "GET" && method != "HEAD"
    default: false
    }
  }

  private static func refuseDowngrade(
    of plan: RequestPlan, to next: RequestPlan
  ) throws(Failure) {
    guard plan.target.scheme == .https, next.target.scheme == .http,
      plan.hasCredentials || next.body != nil
    else { return }
    throw Failure(
      .redirect,
      "\(plan.target.authority) redirects a request with credentials or a body from https to "
        + "\(next.target.origin): fetchrun did not follow the redirect; use the new address if you "
        + "trust it")
  }

  /// Throws an error if the redirect would send the request's body to another origin. The answering
  /// server must not choose who reads the body. A redirect from http to https at the same hostname
  /// with default ports is allowed, because https protects the body better.
  private static func refuseBody(
    of next: RequestPlan, from target: TargetURL
  ) throws(Failure) {
    let isUpgrade =
      target.scheme == .http && next.target.scheme == .https
      && target.hostname == next.target.hostname
      && target.port == target.scheme.defaultPort
      && next.target.port == next.target.scheme.defaultPort
    guard next.body != nil, !isUpgrade else { return }
    throw Failure(
      .redirect,
      "\(target.authority) redirects a request with a body to \(next.target.origin), another "
        + "origin: fetchrun did not follow the redirect; use the new address if you trust it")
  }
}
