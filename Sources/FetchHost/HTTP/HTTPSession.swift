package import FetchModel
package import FetchValues
import Synchronization

/// The HTTP of one run: every request checked against the grant at every hop, redirects followed,
/// one retry, cookies, validators, and a record of what happened.
///
/// Requests of a run may overlap. The facts are to be read when the run is over.
package final class HTTPSession: Sendable {
  let transport: any HTTPTransport
  let grant: Grant
  let policy: HTTPPolicy
  let limits: RunLimits
  package let known: [String: Validators]
  /// When the run's window ends that waits for no turn; see `waits`.
  let deadline: ContinuousClock.Instant
  /// Times that do not count.
  package let waits: TurnWaits
  let clock: any Clock<Duration>
  let now: @Sendable () -> Timestamp
  /// Nil for a run that was given none.
  let secrets: RunSecrets?
  /// See `HTTPHop.asksForToken`.
  let asksForToken: Bool
  private let record = Mutex(HTTPRecord())

  /// `validators` are those of the job, by the keys of `validatorUpdates`; the run's window ends at
  /// `deadline`, and as much later as `waits` allows. The clock is slept on before a retry.
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

  /// Any status is an answer; a failure means that there is none.
  ///
  /// With a sink the body of the last answer goes there, as it comes and undecoded; the heads of
  /// redirects are shown to it, too. Nothing is tried twice then, and the hostname's turn ends when
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
  /// What is left behind of this run goes through it.
  package var redactor: Redactor { secrets?.redactor ?? Redactor() }

  func noting<Answer>(_ change: (inout HTTPRecord) -> Answer) -> Answer {
    record.withLock { change(&$0) }
  }

  /// What to store of this run's answers, in the transaction of its items and never without them.
  package var validatorUpdates: [(url: String, validators: Validators)] {
    record.withLock { $0.validators.map { (url: $0.key, validators: $0.value) } }
  }

  package var retryAfters: [RetryAfterNote] { record.withLock { $0.retryAfters } }

  /// One for each answer, in the order they came.
  package var facts: [HTTPFact] { record.withLock { $0.facts } }

  /// What was said to each request, those without an answer last.
  package var answerFacts: [AnswerFact] {
    record.withLock { record in
      record.facts.map(\.answerFact)
        + Array(repeating: .error, count: record.unansweredCount)
    }
  }

  /// Hostnames a request was sent to or tried at, each once, in order.
  package var hostsReached: [String] { record.withLock { $0.hostsReached } }

  /// Requests sent, redirects and retries included.
  package var requestCount: Int { record.withLock { $0.requestCount } }

  /// Until when a request waits that was not made, because its hostname is left alone or other
  /// requests came first; nil where there is none.
  package var postponedUntil: Timestamp? { record.withLock { $0.postponedUntil } }

  package var receivedBytes: Int { record.withLock { $0.receivedBytes } }
}

/// What a session remembers while its run goes on.
struct HTTPRecord {
  var jar = CookieJar()
  var validators: [String: Validators] = [:]
  var retryAfters: [RetryAfterNote] = []
  /// Requests that got no answer.
  var unansweredCount = 0
  var facts: [HTTPFact] = []
  var hostsReached: [String] = []
  var requestCount = 0
  var receivedBytes = 0
  /// The latest time until which a request that was not made is to wait.
  var postponedUntil: Timestamp?

  mutating func postpone(until: Timestamp) { postponedUntil = max(postponedUntil ?? until, until) }

  mutating func countRequest(to hostname: String) {
    requestCount += 1
    if !hostsReached.contains(hostname) { hostsReached.append(hostname) }
  }

  /// What requests beside those of the plugin have cost.
  mutating func add(_ other: HTTPRecord) {
    requestCount += other.requestCount
    receivedBytes += other.receivedBytes
    retryAfters += other.retryAfters
    hostsReached += other.hostsReached.filter { !hostsReached.contains($0) }
  }
}

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
