import FetchModel

/// Requests with secrets in them, and those for access tokens.
extension HTTPSession: SecretRequester {
  /// A token that the server takes no more is renewed, once; a sink takes nothing of such an answer.
  func send(
    _ request: HTTPRequest, _ sealed: SealedRequest, _ sink: (any BodySink)?
  ) async throws(Failure) -> HTTPAnswer {
    guard let secrets else {
      throw Failure(.permission, "the job has no secrets; give it some in its secrets")
    }
    let answer = try await sendOpened(request, sealed, secrets, sink)
    guard answer.status == 401, await secrets.forgetTokens(of: sealed) else { return answer }
    return try await sendOpened(request, sealed, secrets, sink)
  }

  private func sendOpened(
    _ request: HTTPRequest, _ sealed: SealedRequest, _ secrets: RunSecrets,
    _ sink: (any BodySink)?
  ) async throws(Failure) -> HTTPAnswer {
    let opened = try await secrets.open(sealed, in: request, of: self)
    var plan = try RequestPlan(opened)
    plan.hasOldToken = secrets.hasOldToken(sealed)
    return try await exchange(opened.request, plan, sink)
  }

  /// A token server is slow at times; a run has other things to do.
  private static let tokenTimeout: Duration = .seconds(30)
  private static let tokenBytesMax = 256 << 10

  /// To the one server that the user has named for it, through the same gates, lanes and counts as
  /// all requests of the run; of its answer the run learns nothing.
  func sendForToken(_ request: HTTPRequest) async -> Result<HTTPAnswer, Failure> {
    var grant = Grant()
    grant.privateAddresses = self.grant.privateAddresses
    if let target = try? TargetURL(request.url) { grant.hosts = HostPattern.all(of: target) }
    var request = request
    request.timeout = Self.tokenTimeout
    request.bodyBytesMax = Self.tokenBytesMax
    let session = HTTPSession(
      transport: transport, grant: grant, policy: policy, validators: [:],
      deadline: .now + (Self.tokenTimeout - waits.total), waits: waits, limits: limits,
      asksForToken: true, clock: clock, now: now)
    let result = await session.send(request)
    let other = session.noting { $0 }
    noting { $0.add(other) }
    return result
  }
}
