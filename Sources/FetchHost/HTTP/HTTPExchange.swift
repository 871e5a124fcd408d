import FetchModel
import FetchValues

/// One request from start to answer: the hops of a redirect chain, with at most one retry in the
/// whole chain.
///
/// This is a class, because its state would otherwise be copied into the frames of waiting
/// functions.
final class HTTPExchange {
  let session: HTTPSession
  let request: HTTPRequest
  var plan: RequestPlan
  let askedHostname: String
  var sink: (any BodySink)?
  /// The time limit of the request. Suspensions of the run's own time limit do not count: see
  /// `TurnWaits`.
  private let timeout: Duration
  private let begunAt = ContinuousClock.now
  private let waitedBefore: Duration
  var canRetry: Bool
  /// The request's turn at the hostname of the original address.
  private var turn: LaneTurn?
  var movedTo: String?
  var receivedBytes = 0
  var requestCount = 0
  /// The request's number in `session.waits`.
  private var waitNumber = 0

  init(
    session: HTTPSession, request: HTTPRequest, plan: RequestPlan, sink: (any BodySink)?
  ) {
    self.session = session
    self.request = request
    self.plan = plan
    askedHostname = plan.target.hostname
    self.sink = sink
    timeout = max(request.timeout ?? session.policy.totalTimeout, .zero)
    waitedBefore = session.waits.total
    // A sink may have received a part of the body already, so only the owner of the sink can decide
    // which bytes to request next.
    canRetry = HTTPMethod.isIdempotent(plan.method) && sink == nil
  }

  /// The time when the request must end. Each further suspension of the run's time limit postpones
  /// this time: see `TurnWaits`.
  var deadline: ContinuousClock.Instant {
    let waited = session.waits.total
    return min(begunAt + timeout + (waited - waitedBefore), session.deadline + waited)
  }

  var timeLeft: Duration { ContinuousClock.now.duration(to: deadline) }

  func run() async throws(Failure) -> HTTPAnswer {
    waitNumber = session.waits.beginRequest(to: askedHostname)
    defer { session.waits.endRequest(waitNumber) }
    if plan.target.scheme == .file { return try await readFile() }
    if let failure = HostGate.check(plan.target, session.grant) { throw failure }
    try await leaveAlone()
    guard let lanes = session.policy.lanes else { return try await follow() }
    let hostname = plan.target.hostname
    guard timeLeft > .zero else { throw lateTurn(hostname) }
    // Most requests need not wait, and do not count as waiting.
    if !lanes.enterNow(hostname), !(await waitForTurn(at: hostname, in: lanes)) {
      throw lateTurn(hostname)
    }
    let turn = LaneTurn(of: hostname, in: lanes)
    defer { turn.end() }
    self.turn = turn
    // A request that had the turn before may have received a `Retry-After`.
    try await leaveAlone()
    sink = sink.map { TurnEndingSink(sink: $0, turn: turn) }
    return try await follow()
  }

  /// Waits for a turn at the hostname, at most for the request's remaining time plus
  /// `session.waits.left`. Returns false if the wait ended without a turn.
  private func waitForTurn(at hostname: String, in lanes: RequestLanes) async -> Bool {
    let timeMax = timeLeft + session.waits.left
    return await session.waits.waiting(waitNumber, for: hostname) {
      await lanes.enter(hostname, within: timeMax)
    }
  }

  /// Waits until the hostname's cooldown ends. Throws if the cooldown does not end within the
  /// request's remaining time, or if the task is cancelled during the wait.
  private func leaveAlone() async throws(Failure) {
    let hostname = plan.target.hostname
    while let until = session.policy.cooldowns?.closedUntil(hostname, now: session.now()) {
      let wait = until - session.now()
      // Gives back the turn at the original hostname, so that other requests to it need not wait
      // for this cooldown.
      if hostname != askedHostname { turn?.end() }
      if wait < timeLeft,
        await session.waits.waiting(waitNumber, for: hostname, { await pause(wait) })
      {
        continue
      }
      if Task.isCancelled { throw HTTPFault.cancelled.failure(for: plan.target) }
      session.noting { $0.postpone(until: until) }
      throw Failure(
        .httpStatus,
        "no requests are sent to \(hostname) until \(until), because of an earlier answer",
        retryable: true)
    }
  }

  /// The delay after which a run can be repeated if one of its requests received no turn in time.
  private static let lateTurnDelay: Duration = .seconds(5)

  private func lateTurn(_ hostname: String) -> Failure {
    if Task.isCancelled { return HTTPFault.cancelled.failure(for: plan.target) }
    let until = session.now() + Self.lateTurnDelay
    session.noting { $0.postpone(until: until) }
    return Failure(
      .httpTimeout,
      "the time left for the request is too short for the queue of requests to \(hostname)",
      retryable: true)
  }

  /// Sends the plan, whose address the grant allows, and follows redirects.
  private func follow() async throws(Failure) -> HTTPAnswer {
    for _ in 0...session.policy.redirectsMax {
      if let failure = session.secrets?.check(plan, cookies: cookies(plan)) { throw failure }
      let validators = currentValidators()
      let hostname = plan.target.hostname
      let answer = try await answerOfHop(validators)
      if let last = try lastAnswer(answer, validators) { return last }
      if plan.target.hostname != hostname { try await leaveAlone() }
    }
    throw Failure(
      .redirect,
      "more than \(session.policy.redirectsMax) redirects, the last one to \(plan.target.authority)"
    )
  }

  /// Notes the answer of a hop and returns the answer for the plugin. If the answer redirects, sets
  /// the plan of the next hop, whose address the grant allows, and returns nil.
  ///
  /// Inlined, the next plan would be a part of the frame of `follow` while it waits for the answer.
  @inline(never) private func lastAnswer(
    _ answer: HTTPHopAnswer, _ validators: Validators?
  ) throws(Failure) -> HTTPAnswer? {
    noteHop(answer)
    if let failure = unasked(answer, validators) { throw failure }
    guard request.followRedirects, let next = try nextPlan(answer) else {
      return finished(answer, validators)
    }
    try refuseToExpose(next)
    if next.hasMovedForGood { movedTo = next.target.text }
    plan = next
    if let failure = HostGate.check(plan.target, session.grant) { throw failure }
    return nil
  }
}

// MARK: Redirects

extension HTTPExchange {
  private func nextPlan(_ answer: HTTPHopAnswer) throws(Failure) -> RequestPlan? {
    let location = answer.header("location")
    do throws(Failure) {
      return try RedirectRule.next(after: plan, status: answer.status, location: location)
    } catch {
      // The message may quote a part of the address, which may contain a secret.
      guard let location, session.redactor.redacted(location) != location else { throw error }
      throw Failure(
        error.code,
        "\(plan.target.authority) redirects to an invalid or refused address that contains a "
          + "secret")
    }
  }

  /// Refuses to follow a redirect from https to http with a secret in the address.
  private func refuseToExpose(_ next: RequestPlan) throws(Failure) {
    guard plan.target.scheme == .https, next.target.scheme == .http,
      session.redactor.redacted(next.target.text) != next.target.text
    else { return }
    throw Failure(
      .redirect,
      "\(plan.target.authority) redirects from https to \(next.target.origin), and the new address "
        + "contains a secret: fetchrun did not follow the redirect; use the new address if you "
        + "trust it")
  }
}

// MARK: Files

extension HTTPExchange {
  private func readFile() async throws(Failure) -> HTTPAnswer {
    let known = currentValidators()
    var hop = try hop(known)
    hop.readPaths = session.grant.readPaths
    switch await session.transport.perform(hop).result {
    case .failure(let fault): throw fault.failure(for: plan.target)
    case .success(let file):
      requestCount = 0
      return finished(file, known)
    }
  }
}
