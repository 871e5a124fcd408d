import FetchModel
import FetchValues

/// One request from start to answer: the hops of a redirect chain, with at most one retry in the
/// whole chain.
///
/// This is a class, because its state would otherwise be copied into the frames of waiting
/// functions.
final class HTTPExchange {
  private let session: HTTPSession
  private let request: HTTPRequest
  private var plan: RequestPlan
  private let askedHostname: String
  private var sink: (any BodySink)?
  /// The time limit of the request. Suspensions of the run's own time limit do not count: see
  /// `TurnWaits`.
  private let timeout: Duration
  private let begunAt = ContinuousClock.now
  private let waitedBefore: Duration
  private var canRetry: Bool
  /// The request's turn at the hostname of the original address.
  private var turn: LaneTurn?
  private var movedTo: String?
  private var receivedBytes = 0
  private var requestCount = 0
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
  private var deadline: ContinuousClock.Instant {
    let waited = session.waits.total
    return min(begunAt + timeout + (waited - waitedBefore), session.deadline + waited)
  }

  private var timeLeft: Duration { ContinuousClock.now.duration(to: deadline) }

  func run() async throws(Failure) -> HTTPAnswer {
    waitNumber = session.waits.beginRequest(to: askedHostname)
    defer { session.waits.endRequest(waitNumber) }
    if plan.target.scheme == .file { return try await readFile() }
    if let failure = HostGate.check(plan.target, session.grant) { throw failure }
    try await leaveAlone()
    guard let lanes = session.policy.lanes else { return try await follow() }
    let hostname = plan.target.hostname
    guard await takeTurn(at: hostname, in: lanes) else { throw lateTurn(hostname) }
    let turn = LaneTurn(of: hostname, in: lanes)
    defer { turn.end() }
    self.turn = turn
    // Earlier requests in the queue may have received a `Retry-After`.
    try await leaveAlone()
    sink = sink.map { TurnEndingSink(sink: $0, turn: turn) }
    return try await follow()
  }

  /// Waits for a turn at the hostname, at most for the request's remaining time plus
  /// `session.waits.left`. Returns false if the wait ended without a turn.
  private func takeTurn(at hostname: String, in lanes: RequestLanes) async -> Bool {
    let timeLeft = timeLeft
    guard timeLeft > .zero else { return false }
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

  private func follow() async throws(Failure) -> HTTPAnswer {
    for _ in 0...session.policy.redirectsMax {
      if let failure = HostGate.check(plan.target, session.grant) { throw failure }
      if let failure = session.secrets?.check(plan, cookies: cookies()) { throw failure }
      let validators = currentValidators()
      let answer = try await answerOfHop(validators)
      noteHop(answer)
      if let failure = unasked(answer, validators) { throw failure }
      guard request.followRedirects,
        let next = try nextPlan(answer)
      else { return finished(answer, validators) }
      try refuseToExpose(next)
      if next.hasMovedForGood { movedTo = next.target.text }
      let isElsewhere = next.target.hostname != plan.target.hostname
      plan = next
      if isElsewhere {
        if let failure = HostGate.check(plan.target, session.grant) { throw failure }
        try await leaveAlone()
      }
    }
    throw Failure(
      .redirect,
      "more than \(session.policy.redirectsMax) redirects, the last one to \(plan.target.authority)"
    )
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

// MARK: One hop

extension HTTPExchange {
  private func answerOfHop(
    _ validators: Validators?
  ) async throws(Failure) -> HTTPHopAnswer {
    while true {
      let hop = hop(validators)
      session.noting { $0.countRequest(to: plan.target.hostname) }
      requestCount += 1
      let end = await session.transport.perform(hop)
      receivedBytes += end.receivedBytes
      session.noting { $0.receivedBytes += end.receivedBytes }
      switch end.result {
      case .success(let answer):
        guard let delay = retryDelay(after: answer), await pause(delay) else { return answer }
      case .failure(let fault):
        guard fault.isConnectionFault, let delay = retryDelay(atLeast: .zero), await pause(delay)
        else {
          throw fault.failure(
            for: plan.target, proxy: hop.proxy, asksForToken: hop.asksForToken)
        }
      }
      canRetry = false
    }
  }

  private func hop(_ validators: Validators?) -> HTTPHop {
    var hop = HTTPHop(target: plan.target, deadline: deadline)
    hop.method = plan.method
    hop.headers = headers(validators)
    hop.body = plan.body
    hop.privateAddresses = session.grant.privateAddresses
    hop.proxy = session.policy.proxy.proxy(for: plan.target)
    hop.caFile = session.policy.caFile
    hop.verifiesTLS = session.policy.verifiesTLS
    hop.connectTimeout = session.policy.connectTimeout
    hop.lowSpeed = session.policy.lowSpeed
    hop.bodyBytesMax = session.limits.bodyBytes
    hop.decompressionRatioMax = session.limits.decompressionRatio
    hop.now = session.now()
    hop.sink = sink
    hop.redactor = session.redactor
    hop.asksForToken = session.asksForToken
    hop.hasOldToken = plan.hasOldToken
    // Most downloads come from a server that has more files.
    hop.isFollowed =
      sink != nil || session.requestCount > 0
      || session.policy.lanes?.isAwaited(plan.target.hostname) == true
    return hop
  }

  private func headers(_ validators: Validators?) -> [HTTPField] {
    var fields: [HTTPField] = []
    let defaults = [
      HTTPField("User-Agent", session.policy.userAgent), HTTPField("Accept", "*/*"),
      HTTPField("Accept-Encoding", BodyDecoder.accepted),
    ]
    fields += defaults.filter { !plan.hasHeader($0.name) }
    if session.policy.asksFresh, !plan.hasHeader("Cache-Control") {
      fields.append(HTTPField("Cache-Control", "no-cache"))
    }
    fields += plan.headers
    if let credentials = plan.carried?.aws {
      fields.removeAll { AWSSignature.isOwn($0.name) }
      fields += AWSSignature.headers(for: plan, credentials, now: session.now())
    } else if let authorization = plan.authorization, !plan.hasHeader("Authorization") {
      fields.append(HTTPField("Authorization", authorization))
    }
    if let cookies = cookies() { fields.append(HTTPField("Cookie", cookies)) }
    return fields + ConditionalRule.headers(validators, now: session.now())
  }

  /// Returns a failure if a GET request without a condition receives 304, or a GET request without
  /// a range receives 206. Otherwise returns nil. Answers to a sink are not checked.
  private func unasked(_ answer: HTTPHopAnswer, _ validators: Validators?) -> Failure? {
    guard plan.method == "GET", plan.target.scheme != .file, sink == nil else { return nil }
    let hostname = plan.target.hostname
    let hasCondition =
      ["If-None-Match", "If-Modified-Since"].contains(where: plan.hasHeader)
      || !ConditionalRule.headers(validators, now: session.now()).isEmpty
    switch answer.status {
    case 304 where !hasCondition:
      return Failure(
        .invalidResponse, "\(hostname) answered 304 (not modified) to an unconditional request",
        retryable: true)
    case 206 where !plan.hasHeader("Range"):
      return Failure(
        .invalidResponse, "\(hostname) answered 206 (partial content) to a request without a range",
        retryable: true)
    default: return nil
    }
  }

  /// Returns the value of the `Cookie` header; nil if no cookie applies, or if the request already
  /// has this header.
  private func cookies() -> String? {
    if plan.hasHeader("Cookie") { return nil }
    return session.noting { $0.jar.header(for: plan.target, now: session.now()) }
  }

  private func currentValidators() -> Validators? {
    guard request.conditional, plan.takesValidators else { return nil }
    return session.known[key]
  }

  /// The key of the plan's validators; secrets in the address are not part of it.
  private var key: String { session.redactor.redacted(ConditionalRule.key(plan)) }
}

// MARK: The retry

extension HTTPExchange {
  /// Returns the delay before a retry; nil for no retry.
  private func retryDelay(after answer: HTTPHopAnswer) -> Duration? {
    guard [502, 503, 504].contains(answer.status) else { return nil }
    let now = session.now()
    let wish = answer.header("retry-after").flatMap {
      RetryAfter.instant($0, date: answer.header("date"), now: now)
    }
    return retryDelay(atLeast: wish.map { $0 - now } ?? .zero)
  }

  /// Returns the delay before a retry, at least `wish`; nil if no retry is allowed or the remaining
  /// time is too short for the delay.
  private func retryDelay(atLeast wish: Duration) -> Duration? {
    let delay = max(wish, session.policy.retryDelay)
    return canRetry && delay < timeLeft ? delay : nil
  }

  /// Waits for `delay`; returns false if the task is cancelled.
  private func pause(_ delay: Duration) async -> Bool {
    do {
      try await session.clock.sleep(for: delay)
      return true
    } catch {
      return false
    }
  }
}

// MARK: The record

extension HTTPExchange {
  private func noteHop(_ answer: HTTPHopAnswer) {
    let now = session.now()
    let target = plan.target
    let until = answer.header("retry-after").flatMap {
      RetryAfter.instant($0, date: answer.header("date"), now: now)
    }
    session.noting { record in
      for field in answer.headers where field.name == "set-cookie" {
        record.jar.keep(field.value, from: target, now: now)
      }
    }
    guard let until, answer.status == 429 || answer.status == 503 || answer.status == 403
    else { return }
    let note = RetryAfterNote(
      origin: target.origin, hostname: target.hostname, status: answer.status, until: until)
    session.noting { $0.retryAfters.append(note) }
    session.policy.cooldowns?.close(note, now: now)
  }

  private func finished(_ hopAnswer: HTTPHopAnswer, _ sent: Validators?) -> HTTPAnswer {
    var answer = HTTPAnswer(
      status: hopAnswer.status, url: session.redactor.redacted(plan.target.text))
    answer.headers = hopAnswer.headers
    answer.body = hopAnswer.body
    answer.movedTo = movedTo
    answer.receivedBytes = receivedBytes
    answer.requestCount = requestCount
    compare(&answer, sent)
    var fact = HTTPFact(
      method: plan.method, url: answer.url, hostname: plan.target.hostname,
      askedHostname: askedHostname, status: answer.status,
      notModified: answer.notModified, sameBody: answer.sameBody,
      cacheLifetime: CacheLifetime.left(answer.headers, now: session.now()),
      modifiedAt: ModifiedTime.read(answer.headers, now: session.now()),
      receivedBytes: receivedBytes,
      requestCount: requestCount)
    if plan.method == "GET", fact.answerFact == .full {
      fact.links = HubLinks(
        fields: answer.headers.filter { $0.name == "link" }.map(\.value), base: answer.url)
      fact.lastingURL = session.redactor.redacted(movedTo ?? request.url)
    }
    session.noting { [fact] in $0.facts.append(fact) }
    return answer
  }

  /// Marks an unchanged answer, and keeps the validators for the next run.
  private func compare(_ answer: inout HTTPAnswer, _ sent: Validators?) {
    let now = session.now()
    let key = key
    if answer.status == 304 {
      answer.notModified = true
      // The plugin may have set the condition itself; fetchrun has no validators to update in this
      // case.
      if let sent, !ConditionalRule.headers(sent, now: now).isEmpty {
        remember(ConditionalRule.afterNotModified(answer.headers, old: sent), key)
      }
    } else if ConditionalRule.isFullAnswer(answer.status, to: plan) {
      let hash = BodyHash.of(answer.body)
      answer.sameBody = request.conditional && session.known[key]?.bodyHash == hash
      remember(
        ConditionalRule.afterFullAnswer(answer.headers, to: plan, bodyHash: hash, now: now), key)
    }
  }

  /// Records the validators for the next run. Drops each validator in which the server has sent
  /// back a secret, so that the next request does not send the secret.
  private func remember(_ validators: Validators, _ key: String) {
    let redactor = session.redactor
    var validators = validators
    if !redactor.isEmpty {
      for field in [\Validators.etag, \.lastModified] {
        if let text = validators[keyPath: field], redactor.finds(inValidator: text) {
          validators[keyPath: field] = nil
        }
      }
    }
    session.noting { $0.validators[key] = validators }
  }
}

// MARK: Files

extension HTTPExchange {
  private func readFile() async throws(Failure) -> HTTPAnswer {
    let known = currentValidators()
    var hop = hop(known)
    hop.readPaths = session.grant.readPaths
    switch await session.transport.perform(hop).result {
    case .failure(let fault): throw fault.failure(for: plan.target)
    case .success(let file):
      requestCount = 0
      return finished(file, known)
    }
  }
}
