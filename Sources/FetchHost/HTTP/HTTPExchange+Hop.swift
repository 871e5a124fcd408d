import FetchModel
import FetchValues

/// One hop of the redirect chain: what is sent, and which answers are accepted.
extension HTTPExchange {
  /// Sends one hop, with the retry if one is left. Adds its requests and bytes to the record.
  func answerOfHop(
    _ validators: Validators?
  ) async throws(Failure) -> HTTPHopAnswer {
    while true {
      let hop = try hop(validators)
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

  /// The hop for the plan as it stands, with the validators of an earlier answer. Throws if the
  /// headers of an AWS signature are invalid.
  func hop(_ validators: Validators?) throws(Failure) -> HTTPHop {
    var hop = HTTPHop(target: plan.target, deadline: deadline)
    hop.method = plan.method
    hop.headers = try headers(validators)
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

  /// The number of headers that fetchrun itself adds, except those of AWS.
  private static let ownHeaderCountMax = 8

  private func headers(_ validators: Validators?) throws(Failure) -> [HTTPField] {
    // Each use of the property would copy the plan.
    let plan = plan
    var fields: [HTTPField] = []
    fields.reserveCapacity(plan.headers.count + Self.ownHeaderCountMax)
    fields.append(HTTPField("User-Agent", session.policy.userAgent))
    fields.append(HTTPField("Accept", "*/*"))
    fields.append(HTTPField("Accept-Encoding", BodyDecoder.accepted))
    if !plan.headers.isEmpty { fields.removeAll { plan.hasHeader($0.name) } }
    if session.policy.asksFresh, !plan.hasHeader("Cache-Control") {
      fields.append(HTTPField("Cache-Control", "no-cache"))
    }
    fields += plan.headers
    if let credentials = plan.carried?.aws {
      fields.removeAll { AWSSignature.isOwn($0.name) }
      let signed = AWSSignature.headers(for: plan, credentials, now: session.now())
      if let failure = RequestHeaders.check(signed) { throw failure }
      fields += signed
    } else if let authorization = plan.authorization, !plan.hasHeader("Authorization") {
      fields.append(HTTPField("Authorization", authorization))
    }
    if let cookies = cookies(plan) { fields.append(HTTPField("Cookie", cookies)) }
    fields += ConditionalRule.headers(validators, now: session.now())
    return fields
  }

  /// Returns a failure if a GET request without a condition receives 304, or a GET request without
  /// a range receives 206. Otherwise returns nil. Answers to a sink are not checked.
  func unasked(_ answer: HTTPHopAnswer, _ validators: Validators?) -> Failure? {
    let plan = plan
    guard plan.method == "GET", plan.target.scheme != .file, sink == nil else { return nil }
    let hostname = plan.target.hostname
    let hasCondition =
      ConditionalRule.isCondition(validators, now: session.now())
      || plan.hasHeader("If-None-Match") || plan.hasHeader("If-Modified-Since")
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
  func cookies(_ plan: RequestPlan) -> String? {
    if plan.hasHeader("Cookie") { return nil }
    return session.noting { $0.jar.header(for: plan.target, now: session.now()) }
  }

  /// The validators that the last run kept; nil if the request is not conditional.
  func currentValidators() -> Validators? {
    if !request.conditional || session.known.isEmpty { return nil }
    let plan = plan
    return plan.takesValidators ? session.known[ExactText(key(plan))] : nil
  }

  /// Returns the key of the plan's validators; secrets in the address are not part of it.
  func key(_ plan: RequestPlan) -> String { session.redactor.redacted(ConditionalRule.key(plan)) }
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
  func pause(_ delay: Duration) async -> Bool {
    do {
      try await session.clock.sleep(for: delay)
      return true
    } catch {
      return false
    }
  }
}
