package import FetchModel
import FetchValues
import Synchronization

/// The secrets of one run. This object inserts the values of secrets into requests to allowed
/// destinations. It also provides the redactor for all data of the run that is stored or logged.
///
/// A value is read when it is first sent, or earlier if reading it costs nothing. The values exist
/// as long as this object. `SecretCache` and `AccessTokens` may keep them longer.
package final class RunSecrets: Sendable {
  private struct State {
    var values: [String: SecretValue] = [:]
    /// The access tokens that were obtained for earlier requests, by the names of the secrets that
    /// provide them.
    var oldTokens: [String: SecretValue] = [:]
    var redactor: Redactor
    var notices: [String] = []
  }

  private let grants: [SecretGrant]
  private let sources: [String: SecretSource]
  private let access: SecretAccess
  private let state: Mutex<State>

  /// - Parameter clear: the texts of the user's options. A secret value that occurs in these texts
  ///   may be public, and is then not redacted: see `Redactor.init(clear:)`.
  package init(
    grants: [SecretGrant], sources: [String: SecretSource], access: SecretAccess,
    clear: [String] = []
  ) {
    state = Mutex(State(redactor: Redactor(clear: clear)))
    self.grants = grants
    self.sources = sources
    self.access = access
  }

  /// The redactor for all values that this object knows so far.
  package var redactor: Redactor { state.withLock { $0.redactor } }

  /// The notices to show to the user with the result of the run.
  package var notices: [String] { state.withLock { $0.notices } }

  /// Adds to the redactor the values that cost nothing to read, and the values that this process
  /// has already read. A server may send back a value that it received from another run. Ignores a
  /// value that cannot be read, because a request that sends the value fails later.
  package func learn() async {
    for grant in grants {
      guard let source = sources[grant.name] else { continue }
      guard source.isReadAtOnce else {
        learn(access.read.values(from: source), named: grant.name)
        if case .oauth2(let client) = source { await learn(client, named: grant.name) }
        continue
      }
      guard let value = try? await access.reading.value(of: source) else { continue }
      state.withLock { state in
        if state.values.updateValue(value, forKey: grant.name) == nil {
          state.redactor.add(value, named: grant.name)
        }
      }
    }
  }

  /// Adds to the redactor the secret values that a request for an access token contains. Includes
  /// only the values that cost nothing to read or that this process has already read.
  private func learn(_ client: OAuthClient, named name: String) async {
    if let source = client.clientSecret {
      let value = source.isReadAtOnce ? try? await access.reading.value(of: source) : nil
      let known = value.map { [(nil, $0)] } ?? access.read.values(from: source)
      learn(known, named: "\(name).client_secret")
    }
    if let source = client.refreshToken {
      let token = source.isReadAtOnce ? try? await access.reading.refreshToken(of: client) : nil
      let known = token.map { [(nil, $0)] } ?? access.read.values(from: source)
      learn(known, named: "\(name).refresh_token")
    }
  }

  private func learn(_ values: [SecretCache.Value], named name: String) {
    state.withLock { state in
      for (what, value) in values {
        state.redactor.add(value, named: what.map { "\(name).\($0)" } ?? name)
      }
    }
  }

  // MARK: Before sending

  /// Returns the request with the values of its secrets inserted. Throws if the run may not send
  /// requests to the destination. Also throws if one of the secrets may not be sent there or cannot
  /// be obtained.
  func open(
    _ sealed: SealedRequest, in request: HTTPRequest, of session: some SecretRequester
  ) async throws(Failure) -> OpenedRequest {
    let target = try sealed.target(plain: request.url)
    if let failure = HostGate.check(target, session.grant) { throw failure }
    if let failure = sealed.refusal(at: target, grants) { throw failure }
    var values: [String: SecretValue] = [:]
    for name in sealed.names { values[name] = try await value(named: name, for: session) }
    let opened = try sealed.opened(in: request) { name throws(Failure) in
      guard let value = values[name] else { throw SecretGrant.missing(name) }
      return value
    }
    if let (user, password) = opened.request.basicAuth, let name = sealed.password?.names.first {
      let password = SecretValue(password)
      state.withLock { $0.redactor.add(user: user, password: password, named: name) }
    }
    try check(opened.request.url, isAt: target)
    return opened
  }

  /// Throws if the inserted values have changed the destination. The encoding of the values should
  /// already prevent such a change.
  private func check(_ url: String, isAt place: TargetURL) throws(Failure) {
    guard let target = try? TargetURL(url), target.isSameOrigin(as: place) else {
      throw Failure(
        .invalidURL, "the address at \(place.authority) is invalid after its secrets were inserted")
    }
  }

  private func grant(_ name: String) throws(Failure) -> SecretGrant {
    guard let grant = grants.first(where: { ExactText($0.name) == ExactText(name) }) else {
      throw SecretGrant.missing(name)
    }
    return grant
  }

  /// Returns a failure if it finds a secret that may not be sent to the request's destination;
  /// otherwise nil. Checks the named secrets of the body, because a redirect may repeat the body.
  /// Also searches the address, the header values, the cookies and the body for secret values of at
  /// least 8 bytes. A server or a plugin may have inserted these values.
  func check(_ plan: RequestPlan, cookies: String?) -> Failure? {
    for name in plan.carried?.body ?? [] {
      if let failure = (try? grant(name))?.check(plan.target) { return failure }
    }
    let redactor = redactor
    if redactor.isEmpty { return nil }
    let texts =
      [plan.target.text, plan.authorization ?? "", cookies ?? ""] + plan.headers.map(\.value)
    let parts = texts.map { Array($0.utf8) } + [plan.body ?? []]
    for part in parts {
      let found = redactor.name(in: part) { name in
        guard let grant = try? grant(name) else { return true }
        return grant.check(plan.target) != nil
      }
      guard let found else { continue }
      let place = HostPattern.missingPlace(of: plan.target, in: (try? grant(found))?.hosts ?? [])
      return Failure(
        .permission,
        "the request would send the secret '\(found)' to \(place), where it may not be sent")
    }
    return nil
  }

  // MARK: Values

  private func value(
    named name: String, for session: some SecretRequester
  ) async throws(Failure) -> SecretValue {
    if let known = state.withLock({ $0.values[name] }) { return known }
    guard let source = sources[name] else { throw SecretGrant.missing(name) }
    if case .oauth2(let client) = source { return try await token(of: client, name, session) }
    do throws(SecretProblem) {
      let value = try await access.reading.value(of: source)
      learn([(nil, value)], named: name)
      state.withLock { $0.values[name] = value }
      return value
    } catch {
      throw Failure(
        .secretUnavailable, "cannot obtain the secret '\(name)': \(error.message)",
        retryable: error.retryable)
    }
  }

  private func token(
    of client: OAuthClient, _ name: String, _ session: some SecretRequester
  ) async throws(Failure) -> SecretValue {
    let issue: AccessTokens.Issue
    do throws(Failure) {
      issue = try await access.tokens.token(
        of: client, reading: access.reading, now: session.now
      ) { request in await session.sendForToken(request) }
    } catch {
      // The values in the failed token request may have been sent, so they must be redacted, too.
      await learn(client, named: name)
      var failure = error
      failure.message = "cannot obtain the secret '\(name)': \(error.message)"
      throw failure
    }
    let found: [SecretCache.Value] = [(nil, issue.token)] + issue.others.map { ($0.what, $0.value) }
    access.read.note(found, from: .oauth2(client))
    learn(found, named: name)
    state.withLock { state in
      if !issue.isKept { state.values[name] = issue.token }
      state.oldTokens[name] = issue.isOld ? issue.token : nil
      if let notice = issue.notice, !issue.isOld, !state.notices.contains(notice) {
        state.notices.append(notice)
      }
    }
    return issue.token
  }

  /// Whether the request contains an access token that was obtained for an earlier request.
  func hasOldToken(_ sealed: SealedRequest) -> Bool {
    let old = state.withLock { $0.oldTokens }
    return sealed.names.contains { old[$0] != nil }
  }

  /// Forgets the request's old tokens after a 401. Returns whether there were old tokens to forget,
  /// because only then is a retry useful.
  func forgetTokens(of sealed: SealedRequest) async -> Bool {
    var isAny = false
    for name in sealed.names {
      guard case .oauth2(let client)? = sources[name],
        let token = state.withLock({ $0.oldTokens.removeValue(forKey: name) })
      else { continue }
      await access.tokens.forget(token, of: client)
      isAny = true
    }
    return isAny
  }
}
