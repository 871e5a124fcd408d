import FetchModel
import FetchValues

/// The access tokens of all jobs. A token is requested at first use. A token with a known lifetime
/// of more than a minute is kept until shortly before it expires, or until a server rejects it. If
/// the client has a source for a refresh token, a new refresh token is stored. If the new refresh
/// token cannot be stored, it is kept in memory.
package actor AccessTokens {
  /// An access token, with the other secret values in the token request and its answer.
  struct Issue: Sendable {
    var token: SecretValue
    /// The other secret values with their kinds: the client's secret and the refresh tokens.
    var others: [(what: String, value: SecretValue)] = []
    /// Whether the token was obtained for an earlier request. A server may reject such a token.
    var isOld = false
    /// Whether the token is kept for later requests. A token is not kept if its lifetime is unknown
    /// or too short.
    var isKept = false
    /// A problem to report although the token was obtained; nil if there was no problem.
    var notice: String?
  }

  typealias Sending = @Sendable (HTTPRequest) async -> Result<HTTPAnswer, Failure>

  /// The last part of a token's lifetime, in which the token is no longer kept. Clocks differ, and
  /// a request takes time.
  private static let renewalLead: Duration = .seconds(60)

  private struct Kept {
    var issue: Issue
    var expiresAt: Timestamp
  }

  /// A refresh token that could not be stored. It is used only while the client's source still
  /// provides `previous`. If the user sets another token, that token is used instead.
  private struct Unstored {
    var token: SecretValue
    var previous: SecretValue
  }

  private var kept: [OAuthClient: Kept] = [:]
  private var unstored: [OAuthClient: Unstored] = [:]
  /// The token requests that are under way, by client. A later caller for the same client waits for
  /// the answer to the request under way.
  private var underWay: [OAuthClient: Task<Result<Issue, Failure>, Never>] = [:]

  package init() {}

  /// Returns the kept token of the client if it has not expired. Otherwise requests a new token.
  ///
  /// - Parameter send: sends the request for the token to the server in the client's `tokenURL`.
  func token(
    of client: OAuthClient, reading: any SecretReading, now: @escaping @Sendable () -> Timestamp,
    send: @escaping Sending
  ) async throws(Failure) -> Issue {
    if let known = kept[client], now() < known.expiresAt {
      var issue = known.issue
      issue.isOld = true
      return issue
    }
    if let asked = underWay[client] { return try await asked.value.get() }
    // This task is not a child of the calling run. Other runs may still wait for the token when the
    // calling run is cancelled.
    let task = Task(executorPreference: HostExecutor.shared) { [self] in
      await renew(client, reading, now, send)
    }
    underWay[client] = task
    return try await task.value.get()
  }

  /// Forgets a token that a server has rejected.
  func forget(_ token: SecretValue, of client: OAuthClient) {
    if kept[client]?.issue.token == token { kept[client] = nil }
  }

  private func renew(
    _ client: OAuthClient, _ reading: any SecretReading, _ now: @Sendable () -> Timestamp,
    _ send: Sending
  ) async -> Result<Issue, Failure> {
    let askedAt = now()
    let result = await ask(client, reading, send)
    underWay[client] = nil
    guard case .success(let answer) = result else { return result.map(\.issue) }
    var issue = answer.issue
    if let lifetime = answer.lifetime, lifetime > Self.renewalLead {
      issue.isKept = true
      kept[client] = Kept(issue: issue, expiresAt: askedAt + (lifetime - Self.renewalLead))
    }
    return .success(issue)
  }

  private struct Answer {
    var issue: Issue
    var lifetime: Duration?
  }

  private func ask(
    _ client: OAuthClient, _ reading: any SecretReading, _ send: Sending
  ) async -> Result<Answer, Failure> {
    var redactor = Redactor()
    do {
      var others: [(what: String, value: SecretValue)] = []
      var secret: SecretValue?
      if let source = client.clientSecret { secret = try await reading.value(of: source) }
      let stored = try await reading.refreshToken(of: client)
      let refreshToken = newest(of: client, stored: stored)
      if let secret { others.append(("client_secret", secret)) }
      if let refreshToken { others.append(("refresh_token", refreshToken)) }
      for other in others { redactor.add(other.value, named: other.what) }
      let request = OAuthExchange.request(client, secret: secret, refreshToken: refreshToken)
      let token = try OAuthExchange.read(try await send(request).get())
      var issue = Issue(token: token.value, others: others)
      if let next = token.refreshToken, next != refreshToken {
        issue.others.append(("refresh_token", next))
      }
      if let newest = token.refreshToken ?? refreshToken, newest != stored {
        issue.notice = await keep(newest, client, reading, previous: stored)
      }
      return .success(Answer(issue: issue, lifetime: token.lifetime))
    } catch let problem as SecretProblem {
      let message = "no access token from \(Self.host(of: client)): \(problem.message)"
      return .failure(
        redactor.redacted(
          Failure(.secretUnavailable, message, retryable: problem.retryable)))
    } catch let failure as Failure {
      return .failure(redactor.redacted(failure))
    } catch {
      return .failure(Failure(.internalError, "no access token: \(error)"))
    }
  }

  /// Returns the refresh token to use, where `stored` is the token that the client's source gives.
  private func newest(of client: OAuthClient, stored: SecretValue?) -> SecretValue? {
    guard let known = unstored[client], known.previous == stored else { return stored }
    return known.token
  }

  /// Stores a new refresh token. If the token cannot be stored, returns a notice, and keeps the
  /// token in memory if there is a previous token.
  private func keep(
    _ token: SecretValue, _ client: OAuthClient, _ reading: any SecretReading,
    previous: SecretValue?
  ) async -> String? {
    do throws(SecretProblem) {
      try await reading.keep(token, of: client)
      unstored[client] = nil
      return nil
    } catch {
      unstored[client] = previous.map { Unstored(token: token, previous: $0) }
      return "\(Self.host(of: client)) sent a new refresh token, which cannot be stored: "
        + "\(error.message); when this process ends, the new token is lost, and the server may "
        + "reject the old one"
    }
  }

  private static func host(of client: OAuthClient) -> String {
    (try? TargetURL(client.tokenURL))?.authority ?? client.tokenURL
  }
}

extension OAuthClient {
  /// The prefix of the names under which the host stores refresh tokens.
  package static let rotationPrefix = "oauth2-"

  /// Returns the name under which the host stores the newest refresh token, if the client's source
  /// is not itself a stored secret. The name depends on the first refresh token, which the user
  /// sets. If the user sets a different one, the stored token is no longer used.
  func rotationName(of first: SecretValue) -> String {
    var writer = ValueWriter()
    for text in [tokenURL, clientID, scope ?? "", first.text] { writer.write(text) }
    let digest = SHA256.hash(data: writer.bytes).prefix(16)
    return Self.rotationPrefix + Hexadecimal.text(of: Array(digest))
  }
}
