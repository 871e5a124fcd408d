package import FetchHost
package import FetchModel
import FetchSchedule
package import FetchValues

/// The requests that ask hubs for subscriptions. Each request is charged to the job. It reaches a
/// private address only if the job may reach this address.
package struct HubRequests: Sendable {
  /// The result of a request to a hub.
  package enum Answer: Equatable, Sendable {
    case accepted
    /// The hub may be asked again at the given time. The reason is, for example, a budget or a
    /// `Retry-After` from the hub.
    case postponed(until: Timestamp)
    case failed(String)
  }

  package var transport: any HTTPTransport
  package var policy: HTTPPolicy
  package var gate: any TransferGate
  /// The function that returns the private addresses that a job may reach.
  package var privateAddresses: @Sendable (JobName) -> PrivateAddresses
  package var now: @Sendable () -> Timestamp

  static let redirectsMax = 3
  private static let timeout: Duration = .seconds(30)

  /// Asks the hub for a subscription.
  ///
  /// - Parameter callback: the address to which the hub sends its verification requests and its
  ///   pushes.
  package func ask(_ subscription: Subscription, callback: String) async -> Answer {
    if let until = gate.opening(for: RunCost(requests: 1), of: subscription.job, now: now()) {
      return .postponed(until: until)
    }
    let body = Array(
      URLQuery.text(
        of: subscription.form(callback: callback).map {
          (Array($0.name.utf8), Array($0.value.utf8))
        }
      ).utf8)
    var address = subscription.hub
    for _ in 0...Self.redirectsMax {
      guard let target = try? TargetURL(address) else {
        return .failed("the address of the hub, or of its redirect, is invalid")
      }
      if let problem = Self.problem(with: target, topic: subscription.topic) {
        return .failed(problem)
      }
      switch await send(body, to: target, of: subscription.job) {
      case .answer(let answer): return answer
      case .redirect(let location):
        guard let next = URLResolver(base: address).resolve(location) else {
          return .failed("the hub redirects to an invalid address")
        }
        address = next
      }
    }
    return .failed("the hub's address leads to more than \(Self.redirectsMax) redirects")
  }

  /// Returns the reason why a request must not be sent to the hub; nil if it may be sent. The
  /// request contains the subscription's secret, so the hub's address must use https. An http
  /// address is allowed only if the feed has the same origin.
  static func problem(with hub: TargetURL, topic: String) -> String? {
    if hub.scheme == .https { return nil }
    if hub.scheme == .http, let topic = try? TargetURL(topic), topic.isSameOrigin(as: hub) {
      return nil
    }
    return "the hub's address, also after a redirect, must begin with https:// or have the same"
      + " origin as the feed"
  }

  private enum Step {
    case answer(Answer)
    case redirect(String)
  }

  private func send(_ body: [UInt8], to target: TargetURL, of job: JobName) async -> Step {
    var request = HTTPRequest(url: target.text)
    request.method = "POST"
    request.conditional = false
    request.followRedirects = false
    request.timeout = Self.timeout
    request.body = body
    request.headers = [HTTPField("Content-Type", "application/x-www-form-urlencoded")]
    var grant = Grant()
    grant.hosts = HostPattern.all(of: target)
    grant.privateAddresses = privateAddresses(job)
    let session = HTTPSession(
      transport: transport, grant: grant, policy: policy, validators: [:],
      deadline: .now + Self.timeout, limits: RunLimits(), now: now)
    let result = await session.send(request)
    // Each redirect is charged, too. A request that was not sent is not charged.
    _ = gate.charge(RunCost(requests: Double(session.requestCount)), to: job, now: now())
    switch result {
    case .failure(let failure):
      if let until = session.postponedUntil { return .answer(.postponed(until: until)) }
      return .answer(.failed(failure.message))
    case .success(let answer):
      if [307, 308].contains(answer.status), let location = answer.header("location") {
        return .redirect(location)
      }
      if (200...299).contains(answer.status) { return .answer(.accepted) }
      if let until = answer.header("retry-after").flatMap({
        RetryAfter.instant($0, date: answer.header("date"), now: now())
      }), answer.status == 429 || answer.status == 503 {
        return .answer(.postponed(until: until))
      }
      return .answer(.failed("\(target.authority) answered \(answer.status)"))
    }
  }
}
