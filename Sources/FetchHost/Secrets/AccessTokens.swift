import FetchModel
import FetchValues

/// The access tokens of all jobs. The first user of a token requests it, and it is kept until
/// shortly before it expires. A refresh token that the server replaces is kept for the next time.
package actor AccessTokens {
  /// A token, and the values behind it that must not be shown.
  struct Issue: Sendable {
    var token: SecretValue
    /// The values by their kind: the client's secret, the refresh tokens.
    var others: [(what: String, value: SecretValue)] = []
    /// Whether the token existed before this request.
    var isOld = false
    /// Whether it is kept for later; without an expiry its lifetime is unknown.
    var isKept = false
    /// A problem that did not prevent the token.
    var notice: String?
  }

  typealias Sending = @Sendable (HTTPRequest) async -> Result<HTTPAnswer, Failure>

  /// How long before its expiry a token is renewed: clocks differ, and a request takes time.
  private static let renewalLead: Duration = .seconds(60)

  private struct Kept {
    var issue: Issue
    var expiresAt: Timestamp
  }

  private var kept: [OAuthClient: Kept] = [:]
  /// The requests under way; later callers wait for the same answer.
  private var underWay: [OAuthClient: Task<Result<Issue, Failure>, Never>] = [:]

  package init() {}

  /// - Parameter send: sends the request for the token to the host in the client's address.
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
    // Not a child of the run that asks: others wait for it when that run is cancelled.
    let task = Task(executorPreference: HostExecutor.shared) { [self] in
      await renew(client, reading, now, send)
    }
    underWay[client] = task
    return try await task.value.get()
  }

  /// Forgets a token that the server rejects.
  func forget(_ token: SecretValue, of client: OAuthClient) {
    if kept[client]?.issue.token == token { kept[client] = nil }
  }

  private func renew(
    _ client: OAuthClient, _ reading: any SecretReading, _ now: @Sendable () -> Timestamp,
    _ send: Sending
  ) async -> Result<Issue, Failure> {
    let askedAt = now()
    let result = await Self.ask(client, reading, send)
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

  private static func ask(
    _ client: OAuthClient, _ reading: any SecretReading, _ send: Sending
  ) async -> Result<Answer, Failure> {
    var redactor = Redactor()
    do {
      var others: [(what: String, value: SecretValue)] = []
      var secret: SecretValue?
      if let source = client.clientSecret { secret = try await reading.value(of: source) }
      let refreshToken = try await reading.refreshToken(of: client)
      if let secret { others.append(("client_secret", secret)) }
      if let refreshToken { others.append(("refresh_token", refreshToken)) }
      for other in others { redactor.add(other.value, named: other.what) }
      let request = OAuthExchange.request(client, secret: secret, refreshToken: refreshToken)
      let token = try OAuthExchange.read(try await send(request).get())
      var issue = Issue(token: token.value, others: others)
      if let next = token.refreshToken, next != refreshToken {
        issue.others.append(("refresh_token", next))
        issue.notice = await keep(next, client, reading)
      }
      return .success(Answer(issue: issue, lifetime: token.lifetime))
    } catch let problem as SecretProblem {
      let message = "no access token from \(host(of: client)): \(problem.message)"
      return .failure(
        redactor.redacted(
          Failure(.secretUnavailable, message, retryable: problem.retryable)))
    } catch let failure as Failure {
      return .failure(redactor.redacted(failure))
    } catch {
      return .failure(Failure(.internalError, "no access token: \(error)"))
    }
  }

  private static func keep(
    _ token: SecretValue, _ client: OAuthClient, _ reading: any SecretReading
  ) async -> String? {
    do throws(SecretProblem) {
      try await reading.keep(token, of: client)
      return nil
    } catch {
      return "\(host(of: client)) sent a new refresh token, which cannot be stored: "
        + "\(error.message); the next start may need a new one"
    }
  }

  private static func host(of client: OAuthClient) -> String {
    (try? TargetURL(client.tokenURL))?.authority ?? client.tokenURL
  }
}
