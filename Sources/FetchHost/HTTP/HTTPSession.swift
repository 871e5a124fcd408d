package import FetchModel
package import FetchValues
import Synchronization

/// The HTTP of one run: every hop checked against the grant, redirects, one retry, cookies,
/// validators, and a record of what happened.
///
/// Requests of a run may overlap. Read the facts after the run has ended.
package final class HTTPSession: Sendable {
  let transport: any HTTPTransport
  let grant: Grant
  let policy: HTTPPolicy
  let limits: RunLimits
  package let known: [String: Validators]
  /// The end of the run's window if it waits for no turn; see `waits`.
  let deadline: ContinuousClock.Instant
  /// The waiting times that do not count.
  package let waits: TurnWaits
  let clock: any Clock<Duration>
  let now: @Sendable () -> Timestamp
  /// The run's secrets; nil if it has none.
  let secrets: RunSecrets?
  /// See `HTTPHop.asksForToken`.
  let asksForToken: Bool
  private let record = Mutex(HTTPRecord())

  /// `validators` are those of the job, by the keys of `validatorUpdates`. The run's window ends at
  /// `deadline`, extended by at most what `waits` allows. The clock times the delay before a retry.
  package init(
    transport: any HTTPTransport, grant: Grant, policy: HTTPPolicy,
    validators: [String: Validators],
    deadline: ContinuousClock.Instant, waits: TurnWaits = TurnWaits(max: .zero),
    limits: RunLimits, secrets: RunSecrets? = nil, asksForToken: Bool = false,
    clock: any Clock<Duration> = HostClock(), now: @escaping @Sendable () -> Timestamp
  ) {
    self.transport = transport
    self.grant = grant
    self.policy = policy
    self.limits = limits
    self.secrets = secrets
    self.asksForToken = asksForToken
    known = validators
    self.deadline = deadline
    self.waits = waits
    self.clock = clock
    self.now = now
  }

  /// Sends a request. Any status is an answer; a failure means that there is none.
  ///
  /// With a sink, the body of the last answer goes there as it arrives, undecoded. The sink also
  /// sees the heads of redirects. Then nothing is tried twice, and the hostname's turn ends when
  /// the sink begins to take.
  @concurrent package func send(
    _ request: HTTPRequest, into sink: (any BodySink)? = nil
  ) async -> Result<HTTPAnswer, Failure> {
    do throws(Failure) {
      guard let sealed = request.sealed else {
        return .success(try await exchange(request, try RequestPlan(request), sink))
      }
      return .success(try await send(request, sealed, sink))
    } catch {
      noting { $0.unansweredCount += 1 }
      return .failure(redactor.redacted(error))
    }
  }

  func exchange(
    _ request: HTTPRequest, _ plan: RequestPlan, _ sink: (any BodySink)?
  ) async throws(Failure) -> HTTPAnswer {
    try await HTTPExchange(session: self, request: request, plan: plan, sink: sink).run()
  }
}

extension HTTPSession {
  /// Removes the secrets from what this run leaves behind.
  package var redactor: Redactor { secrets?.redactor ?? Redactor() }

  func noting<Answer>(_ change: (inout HTTPRecord) -> Answer) -> Answer {
    record.withLock { change(&$0) }
  }

  /// The validators to store, in the transaction of the run's items and never without them.
  package var validatorUpdates: [(url: String, validators: Validators)] {
    record.withLock { $0.validators.map { (url: $0.key, validators: $0.value) } }
  }

  package var retryAfters: [RetryAfterNote] { record.withLock { $0.retryAfters } }

  /// One fact for each answer, in the order they arrived.
  package var facts: [HTTPFact] { record.withLock { $0.facts } }

  /// One fact for each request, those without an answer last.
  package var answerFacts: [AnswerFact] {
    record.withLock { record in
      record.facts.map(\.answerFact)
        + Array(repeating: .error, count: record.unansweredCount)
    }
  }

  /// The hostnames that a request was sent to or tried at, each once, in order.
  package var hostsReached: [String] { record.withLock { $0.hostsReached } }

  /// The number of requests sent, with redirects and retries.
  package var requestCount: Int { record.withLock { $0.requestCount } }

  /// The end of the wait for a request that was not made, because its hostname asked for a pause or
  /// other requests came first. Nil if there is none.
  package var postponedUntil: Timestamp? { record.withLock { $0.postponedUntil } }

  package var receivedBytes: Int { record.withLock { $0.receivedBytes } }
}

/// The state of a session during its run.
struct HTTPRecord {
  var jar = CookieJar()
  var validators: [String: Validators] = [:]
  var retryAfters: [RetryAfterNote] = []
  /// The number of requests without an answer.
  var unansweredCount = 0
  var facts: [HTTPFact] = []
  var hostsReached: [String] = []
  var requestCount = 0
  var receivedBytes = 0
  /// The latest end of the wait for a request that was not made.
  var postponedUntil: Timestamp?

  mutating func postpone(until: Timestamp) { postponedUntil = max(postponedUntil ?? until, until) }

  mutating func countRequest(to hostname: String) {
    requestCount += 1
    if !hostsReached.contains(hostname) { hostsReached.append(hostname) }
  }

  /// Adds the cost of requests that the plugin did not make itself.
  mutating func add(_ other: HTTPRecord) {
    requestCount += other.requestCount
    receivedBytes += other.receivedBytes
    retryAfters += other.retryAfters
    hostsReached += other.hostsReached.filter { !hostsReached.contains($0) }
  }
}

/// Requests with secrets, and those for access tokens.
extension HTTPSession: SecretRequester {
  /// Renews a token that the server rejects, once; a sink takes nothing of such an answer.
  func send(
    _ request: HTTPRequest, _ sealed: SealedRequest, _ sink: (any BodySink)?
  ) async throws(Failure) -> HTTPAnswer {
    guard let secrets else {
      throw Failure(.permission, "the job has no secrets; add them under its `secrets`")
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

  /// The limit of a token request: token servers can be slow, but a run must not wait long.
  private static let tokenTimeout: Duration = .seconds(30)
  private static let tokenBytesMax = 256 << 10

  /// Sends a request to the one token server that the user has named, through the same gates, lanes
  /// and counts as all requests of the run. The run sees nothing of the answer.
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
