package import FetchModel
package import FetchValues
import Synchronization

/// The HTTP requests of one run, one transfer attempt or one other task. The session checks
/// addresses against the grant, follows redirects, and retries a failed request at most once. It
/// keeps cookies and validators, and records facts about the answers.
///
/// Requests may overlap. Read `facts` after the last request has ended.
package final class HTTPSession: Sendable {
  let transport: any HTTPTransport
  let grant: Grant
  let policy: HTTPPolicy
  let limits: RunLimits
  package let known: [ExactText: Validators]
  /// The end of the run's window (its time limit), without the extension that `waits` allows.
  let deadline: ContinuousClock.Instant
  /// The waiting times of the run. Up to a limit, they do not count against the run's window.
  package let waits: TurnWaits
  let clock: any Clock<Duration>
  let now: @Sendable () -> Timestamp
  let secrets: RunSecrets?
  /// Whether the session requests access tokens; see `HTTPHop.asksForToken`.
  let asksForToken: Bool
  private let record = Mutex(HTTPRecord())

  /// Creates a session. `validators` contains the job's stored validators, by the `url` in
  /// `validatorUpdates` of an earlier run. The run's window ends at `deadline`, extended by the
  /// suspensions that `waits` counts. `clock` measures the delay before a retry and the wait for
  /// the end of a cooldown.
  package init(
    transport: any HTTPTransport, grant: Grant, policy: HTTPPolicy,
    validators: [ExactText: Validators],
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

  /// Sends a request and returns its answer, which can have any status. A failure means that no
  /// valid answer arrived, or that the request or one of its redirects was refused or postponed.
  ///
  /// The request and each redirect are checked against the grant. The request waits for the end of
  /// the hostname's cooldown and for a turn at the hostname. After a connection fault, 502, 503 or
  /// 504, an idempotent request without a sink is retried at most once. If the server rejects an
  /// access token of an earlier request (401), the request can be sent again with a new token.
  ///
  /// A sink receives the head of each answer. It receives each body that it accepts as the body
  /// arrives, undecoded. When the sink accepts a body, the request's turn ends.
  @concurrent package func send(
    _ request: HTTPRequest, into sink: (any BodySink)? = nil
  ) async -> Result<HTTPAnswer, Failure> {
    do throws(Failure) {
      guard let sealed = request.sealed else {
        return .success(try await exchange(request, sink).run())
      }
      return .success(try await send(request, sealed, sink))
    } catch {
      noting { $0.unansweredCount += 1 }
      return .failure(redactor.redacted(error))
    }
  }

  /// Inlined, the plan would be a part of the frame of `send` until the answer arrives.
  @inline(never) private func exchange(
    _ request: HTTPRequest, _ sink: (any BodySink)?
  ) throws(Failure) -> HTTPExchange {
    let plan = try RequestPlan(request)
    return HTTPExchange(session: self, request: request, plan: plan, sink: sink)
  }
}

extension HTTPSession {
  /// The redactor for everything that is stored or logged about this run.
  package var redactor: Redactor { secrets?.redactor ?? Redactor() }

  func noting<Answer>(_ change: (inout HTTPRecord) -> Answer) -> Answer {
    record.withLock { change(&$0) }
  }

  /// The new and changed validators, to store in the same transaction as the run's items.
  package var validatorUpdates: [(url: String, validators: Validators)] {
    record.withLock { $0.validators.map { (url: $0.key, validators: $0.value) } }
  }

  package var retryAfters: [RetryAfterNote] { record.withLock { $0.retryAfters } }

  /// One fact for each answer that ended a request and its redirects, in the order in which these
  /// answers arrived.
  package var facts: [HTTPFact] { record.withLock { $0.facts } }

  /// The kinds of the answers in `facts`, followed by one error for each failed request.
  package var answerFacts: [AnswerFact] {
    record.withLock { record in
      record.facts.map(\.answerFact)
        + Array(repeating: .error, count: record.unansweredCount)
    }
  }

  /// The hostnames to which a request was sent or attempted, each once.
  package var hostsReached: [String] { record.withLock { $0.hostsReached } }

  /// The number of requests, including redirects, retries and requests for access tokens.
  package var requestCount: Int { record.withLock { $0.requestCount } }

  /// The latest time until which a request was postponed, because of a cooldown or because no turn
  /// came in time. Nil if no request was postponed.
  package var postponedUntil: Timestamp? { record.withLock { $0.postponedUntil } }

  package var receivedBytes: Int { record.withLock { $0.receivedBytes } }
}

struct HTTPRecord {
  var jar = CookieJar()
  var validators: [String: Validators] = [:]
  var retryAfters: [RetryAfterNote] = []
  /// The number of requests for which `send` returned a failure.
  var unansweredCount = 0
  var facts: [HTTPFact] = []
  var hostsReached: [String] = []
  var requestCount = 0
  var receivedBytes = 0
  var postponedUntil: Timestamp?

  mutating func postpone(until: Timestamp) { postponedUntil = max(postponedUntil ?? until, until) }

  mutating func countRequest(to hostname: String) {
    requestCount += 1
    if !hostsReached.contains(hostname) { hostsReached.append(hostname) }
  }

  /// Adds the counts, cooldowns and hostnames of a request for an access token.
  mutating func add(_ other: HTTPRecord) {
    requestCount += other.requestCount
    receivedBytes += other.receivedBytes
    retryAfters += other.retryAfters
    hostsReached += other.hostsReached.filter { !hostsReached.contains($0) }
    if let until = other.postponedUntil { postpone(until: until) }
  }
}

/// The requests with secrets, and the requests for access tokens.
extension HTTPSession: SecretRequester {
  /// Sends a request with secrets. If the server rejects an access token of an earlier request
  /// (401), sends the request once more with a new token. Returns the 401 if an overlapping request
  /// has already reported the old token. A sink receives the heads of both answers.
  func send(
    _ request: HTTPRequest, _ sealed: SealedRequest, _ sink: (any BodySink)?
  ) async throws(Failure) -> HTTPAnswer {
    guard let secrets else {
      throw Failure(.permission, "the job has no secrets; add secrets under the job's `secrets`")
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
    return try await HTTPExchange(
      session: self, request: opened.request, plan: plan, sink: sink
    ).run()
  }

  /// The time limit of a request for a token. It allows for slow token servers, but a run must not
  /// wait longer.
  private static let tokenTimeout: Duration = .seconds(30)
  /// The size limit of a token server's answer. A usual answer has a few kilobytes.
  private static let tokenBytesMax = 256 << 10

  /// Sends a request to the token server that the user has named. The request counts among the
  /// run's requests. The plugin does not receive the answer.
  func sendForToken(_ request: HTTPRequest) async -> Result<HTTPAnswer, Failure> {
    var grant = Grant()
    grant.privateAddresses = self.grant.privateAddresses
    if let target = try? TargetURL(request.url) { grant.hosts = HostPattern.all(of: target) }
    var request = request
    request.timeout = Self.tokenTimeout
    var limits = limits
    limits.bodyBytes = Self.tokenBytesMax
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

/// A way to send one hop and receive its answer, from the network or from a recording.
///
/// Checks of hostnames, redirects, retries, validators and cookies are handled in `HTTPSession`, so
/// they are the same for every transport.
package protocol HTTPTransport: Sendable {
  /// Sends one hop and returns its answer or fault, and the number of bytes received. Ends soon
  /// when the task is cancelled, unless the hop is for a local file.
  ///
  /// Keeps the hop's limits of time and size. The answer has the decoded body. A sink receives the
  /// body undecoded and without a size limit. Without a proxy, connects only to addresses that
  /// `privateAddresses` admits. Reads a `file:` address only if `readPaths` grants it. Follows no
  /// redirect, repeats no answered request, checks no hostname and keeps no cookies.
  ///
  /// `HTTPEngine` gives these guarantees. `ReplayedAnswers` answers from a recording, without
  /// network and files. For a hop that was not recorded, it returns the fault `engine`.
  @concurrent func perform(_ hop: HTTPHop) async -> HTTPHopEnd
}

/// The settings for the requests of one job or of all jobs.
package struct HTTPPolicy: Sendable {
  /// The `User-Agent` header. The default contains the program's name and an address for
  /// complaints.
  package var userAgent: String
  package var connectTimeout: Duration = .seconds(10)
  /// The time limit of one request with its redirects and its retry, without the time for which the
  /// run's window is suspended. A request can set its own limit. A request also ends when the run's
  /// window ends.
  package var totalTimeout: Duration = .seconds(30)
  package var lowSpeed = LowSpeedCut()
  package var redirectsMax = 10
  package var proxy = ProxySettings()
  /// The path of a PEM bundle that replaces the system's certificates; nil to use the system's
  /// certificates.
  package var caFile: String?
  package var verifiesTLS = true
  /// The minimum delay before the single retry. It gives a server that is restarting time to start.
  package var retryDelay: Duration = .milliseconds(500)

  /// Whether caches must check with the source before they answer, because a hub has reported news
  /// that the caches did not have (w3c/websub, issue 84).
  package var asksFresh = false

  /// The queues of requests by hostname. If the value is nil, no request waits for a turn.
  package var lanes: RequestLanes?

  /// The cooldowns of hostnames. They are checked before each request and each redirect to another
  /// hostname. A `Retry-After` in an answer with status 403, 429 or 503 is added to them. If the
  /// value is nil, the session neither checks nor adds cooldowns.
  package var cooldowns: (any Cooldowns)?

  package init(version: String) {
    userAgent = "fetchrun/\(version) (+https://github.com/fetchrun/fetchrun)"
  }
}

/// The cooldowns that servers have requested, by hostname, for all requests.
package protocol Cooldowns: Sendable {
  /// Returns the end of a hostname's cooldown; nil if requests are allowed.
  func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp?
  func close(_ note: RetryAfterNote, now: Timestamp)
}
