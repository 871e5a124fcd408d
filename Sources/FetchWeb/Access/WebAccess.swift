package import FetchConfig
import FetchModel
package import FetchValues
import Glibc
import Synchronization

/// The access control of the server. It finds out who sends a request, and whether the user of a
/// browser intended the request.
package final class WebAccess: Sendable {
  /// The reason why a request is refused.
  package enum Denial: Error, Equatable, Sendable {
    /// A token or a login code is invalid or has expired.
    case invalid
    /// The client on the unix socket runs neither as this process's user nor as root, or its user
    /// is unknown.
    case otherUser
    /// The client has made too many failed attempts or too many requests.
    case tooMany(retryAfter: Duration)
    /// The server cannot confirm that a browser's request comes from one of the server's pages. The
    /// text says which check failed.
    case otherSite(String)
    case unreadable(String)
  }

  package let settings: WebSettings
  package let file: AccessFile
  package let hosts: HostRule
  private let random: @Sendable () -> UInt64
  private let user: UInt32
  /// The secret from which the form tokens of a proxy's users are derived.
  private let proxyKey: String
  private let attempts = Mutex(AttemptLimit())
  private let rates = Mutex(RequestRate())

  /// The minimum time between two updates of the stored time of a token's last use.
  private static let useInterval: Duration = .seconds(3600)

  package init(
    _ settings: WebSettings, file: AccessFile, user: UInt32 = geteuid(),
    random: @escaping @Sendable () -> UInt64
  ) {
    self.settings = settings
    self.file = file
    self.user = user
    self.random = random
    hosts = HostRule(url: settings.url, hosts: settings.hosts)
    proxyKey = AccessSecret.make(AccessSecret.cookiePrefix, random: random)
  }

  // MARK: Callers

  /// Returns the caller of a request. On the unix socket, throws only if the client runs neither as
  /// this process's user nor as root. On a TCP socket, throws if the field `Authorization` is
  /// present without a valid token, or if `web.json` is needed and cannot be read. An invalid
  /// cookie counts as no cookie.
  package func caller(
    _ headers: WebHeaders, peer: WebPeer, host: String, now: Timestamp
  ) throws(Denial) -> Caller {
    if case .local(let peerUser) = peer {
      guard let peerUser, peerUser == user || peerUser == 0 else { throw .otherUser }
      return .local
    }
    let authorizations = headers.all("Authorization")
    if let authorization = authorizations.first {
      guard authorizations.count == 1, let token = Self.bearer(authorization) else {
        throw failed(peer, now)
      }
      return try caller(token: token, prefix: AccessSecret.tokenPrefix, peer: peer, now: now)
    }
    if let caller = proxied(headers, peer) { return caller }
    if let cookie = cookie(headers, host: host) {
      return try caller(cookie: cookie, peer: peer, now: now)
    }
    return .anonymous
  }

  /// Returns the caller whose token is in the address of a feed. Feed readers that cannot send
  /// header fields need such an address. A token in an address gives access only to feeds.
  package func feedCaller(
    token: String, peer: WebPeer, now: Timestamp
  ) throws(Denial) -> Caller {
    var caller = try caller(
      token: token, prefix: AccessSecret.tokenPrefix, peer: peer, now: now)
    caller.scopes.formIntersection([.feed])
    return caller
  }

  /// Counts a request of a caller with a token. Throws if the caller has made too many requests.
  package func note(_ caller: Caller, now: Timestamp) throws(Denial) {
    guard case .token = caller.kind else { return }
    if let wait = rates.withLock({ $0.take(caller.kind, now: now) }) {
      throw .tooMany(retryAfter: wait)
    }
  }

  private func caller(
    token: String, prefix: String, peer: WebPeer, now: Timestamp
  ) throws(Denial) -> Caller {
    guard AccessSecret.isPlausible(token, prefix) else { throw failed(peer, now) }
    let hash = AccessSecret.hash(token)
    guard let found = try records().token(hash, now: now) else { throw failed(peer, now) }
    if found.lastUsedAt.map({ now - $0 > Self.useInterval }) ?? true {
      // The request is allowed even if the time of the last use cannot be stored, because a full
      // disk must not lock clients out.
      try? file.change { records throws(AccessFileError) in
        guard let place = records.tokens.firstIndex(where: { $0.hash == hash }) else { return }
        records.tokens[place].lastUsedAt = now
      }
    }
    return found.caller
  }

  private func caller(cookie: String, peer: WebPeer, now: Timestamp) throws(Denial) -> Caller {
    guard AccessSecret.isPlausible(cookie, AccessSecret.cookiePrefix),
      let session = try records().session(AccessSecret.hash(cookie), now: now)
    else { return .anonymous }
    var caller = Caller(.session(session.hash), scopes: Set(Scope.allCases))
    caller.formToken = AccessSecret.formToken(of: cookie)
    return caller
  }

  private func proxied(_ headers: WebHeaders, _ peer: WebPeer) -> Caller? {
    guard let field = settings.proxyUser, case .address(let address) = peer,
      settings.proxyFrom.contains(where: { $0.contains(address) }),
      let name = headers.only(field), !name.isEmpty
    else { return nil }
    var caller = Caller(.proxy(user: name), scopes: Set(Scope.allCases))
    caller.formToken = AccessSecret.formToken(of: proxyKey + name)
    return caller
  }

  private func records() throws(Denial) -> AccessRecords {
    do throws(AccessFileError) { return try file.records() } catch {
      throw .unreadable(error.description)
    }
  }

  /// Counts an attempt with an unknown secret and returns `invalid`. If the client has already made
  /// too many failed attempts, returns `tooMany` instead.
  package func noteFailure(_ peer: WebPeer, now: Timestamp) -> Denial { failed(peer, now) }

  private func failed(_ peer: WebPeer, _ now: Timestamp) -> Denial {
    attempts.withLock { $0.fail(peer, now: now) }.map { .tooMany(retryAfter: $0) } ?? .invalid
  }

  private static func bearer(_ value: String) -> String? {
    let parts = value.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].asciiLowercased == "bearer" else { return nil }
    return String(parts[1])
  }

  // MARK: Logins

  /// Logs a browser in with a code. Returns the value of `Set-Cookie`.
  package func logIn(
    code: String, host: String, peer: WebPeer, now: Timestamp
  ) throws(Denial) -> String {
    let secret: String?
    do throws(AccessFileError) {
      secret = try file.change { records throws(AccessFileError) in
        records.logIn(code, now: now, random: random)
      }
    } catch { throw .unreadable(error.description) }
    guard let secret else { throw failed(peer, now) }
    let seconds = WebSession.lifetime.components.seconds
    return "\(cookieName(host))=\(secret); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
      + (isSecure(host) ? "; Secure" : "")
  }

  /// Ends a login. Returns the value of `Set-Cookie` that removes the cookie; nil if the caller has
  /// no login.
  package func logOut(_ caller: Caller, host: String) throws(Denial) -> String? {
    guard case .session(let hash) = caller.kind else { return nil }
    do throws(AccessFileError) {
      try file.change { records throws(AccessFileError) in
        records.sessions.removeAll { $0.hash == hash }
      }
    } catch { throw .unreadable(error.description) }
    return "\(cookieName(host))=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
      + (isSecure(host) ? "; Secure" : "")
  }

  /// Returns the sequence number up to which the user of a login has marked the items as seen, and
  /// the time of the mark. Returns 0 and nil if there is no such login, or if `web.json` cannot be
  /// read.
  package func seen(of caller: Caller, now: Timestamp) -> (sequence: Int64, at: Timestamp?) {
    guard case .session(let hash) = caller.kind,
      let session = (try? file.records())?.session(hash, now: now)
    else { return (0, nil) }
    return (session.seenSequence, session.seenAt)
  }

  /// Marks all items up to a sequence number as seen, unless they are already marked. Returns false
  /// for a caller without a login, who has no such marks.
  @discardableResult
  package func setSeen(
    _ sequence: Int64, of caller: Caller, now: Timestamp
  ) throws(AccessFileError) -> Bool {
    guard case .session(let hash) = caller.kind else { return false }
    try file.change { records throws(AccessFileError) in
      guard let place = records.sessions.firstIndex(where: { $0.hash == hash }),
        sequence > records.sessions[place].seenSequence
      else { return }
      records.sessions[place].seenSequence = sequence
      records.sessions[place].seenAt = now
    }
    return true
  }

  // MARK: Browsers

  /// Checks that a page of this server has caused a request that changes something. The check
  /// covers the request's origin and the token of the form. The ports of a host share cookies, so
  /// `SameSite` alone is not enough. Callers that are not browsers always pass the check.
  package func checkForm(
    _ headers: WebHeaders, formToken: String?, caller: Caller, host: String
  ) throws(Denial) {
    guard caller.isBrowser else { return }
    try checkOrigin(headers, host: host)
    guard let wanted = caller.formToken, let formToken,
      ConstantTime.areEqual(Array(wanted.utf8), Array(formToken.utf8))
    else {
      throw .otherSite(
        "the form's token is missing or invalid; load the page again")
    }
  }

  /// Checks only the origin of a request, for the forms with which a browser logs in or out.
  package func checkOrigin(_ headers: WebHeaders, host: String) throws(Denial) {
    let own = isSecure(host) ? ["https://\(host)"] : ["http://\(host)", "https://\(host)"]
    guard let origin = headers.only("Origin"), own.contains(origin.asciiLowercased) else {
      throw .otherSite("the field Origin is missing or does not name this site")
    }
    let sites = headers.all("Sec-Fetch-Site")
    guard sites.allSatisfy({ $0 == "same-origin" }) else {
      throw .otherSite("the field Sec-Fetch-Site is not same-origin")
    }
  }

  /// Whether browsers reach the given host over https.
  private func isSecure(_ host: String) -> Bool {
    guard let url = settings.url, url.asciiLowercased.hasPrefix("https://") else { return false }
    return URLHostText(ofURL: url)?.name == URLHostText(host)?.name
  }

  /// Returns the name of the cookie. Without https the name contains the port, since the ports of a
  /// host share cookies.
  private func cookieName(_ host: String) -> String {
    isSecure(host) ? "__Host-fetchrun" : "fetchrun-\(URLHostText(host)?.port ?? 80)"
  }

  private func cookie(_ headers: WebHeaders, host: String) -> String? {
    let name = cookieName(host) + "="
    var found: [String] = []
    for field in headers.all("Cookie") {
      for pair in field.split(separator: ";") {
        let pair = pair.trimmingHTTPSpace
        if pair.hasPrefix(name) { found.append(String(pair.dropFirst(name.count))) }
      }
    }
    return found.count == 1 ? found[0] : nil
  }
}
