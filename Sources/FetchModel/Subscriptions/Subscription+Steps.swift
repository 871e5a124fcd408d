package import FetchValues

/// The steps of a subscription. Each step only changes the subscription. The caller sends requests
/// and stores the result.
extension Subscription {
  /// The lease that fetchrun requests. Hubs may grant a different lease.
  package static let leaseAsked: Duration = .seconds(10 * 86_400)
  /// The maximum lease. A longer lease from a hub is shortened to this maximum, because each
  /// renewal repairs a subscription that the hub has lost.
  package static let leaseMax: Duration = .seconds(14 * 86_400)
  /// The minimum time from a failure to the next planned request.
  package static let retryMin: Duration = .seconds(600)
  /// The minimum time from a verification to the renewal. It applies even if the hub grants a
  /// shorter lease.
  package static let renewalMin: Duration = .seconds(60)
  /// The time after which an unverified request counts as failed. WebSub sets no time limit. Hubs
  /// usually verify a request within seconds.
  package static let verificationTimeout: Duration = .seconds(600)
  package static let deniedInterval: Duration = .seconds(7 * 86_400)
  /// The time after a request within which the hub's verification is accepted, even after
  /// `verificationTimeout`.
  static let verificationMax: Duration = .seconds(86_400)
  package static let failureBytesMax = 500

  package static let unverified =
    "the hub did not verify the subscription: can the hub reach `web.url`?"

  /// The result of a step that is reported to the user.
  package enum Notice: Equatable, Sendable {
    /// A request failed or was not verified, for the given reason. Only the first failure since the
    /// last verification is reported.
    case failed(String)
    case denied(String)
    case verified
  }

  /// Whether the time `nextAt` has come: a request must be sent to the hub, or the hub has not
  /// verified the last request in time. The value is false for an ended subscription.
  package func isDue(at now: Timestamp) -> Bool {
    guard state != .ended, let nextAt else { return false }
    return now >= nextAt
  }

  /// Records that a request is sent to the hub. Call this function before the request is sent,
  /// because the hub may verify the request before it answers.
  package mutating func noteAsking(at now: Timestamp) {
    askedAt = now
    nextAt = now + Self.verificationTimeout
  }

  /// Whether a sent request still waits for the hub's verification.
  package var awaitsVerification: Bool {
    guard let askedAt else { return false }
    return nextAt == askedAt + Self.verificationTimeout && !wasVerifiedSinceAsked
  }

  package var wasVerifiedSinceAsked: Bool {
    guard let askedAt, let verifiedAt else { return false }
    return verifiedAt >= askedAt
  }

  /// Records that a request to the hub must wait until the given time.
  package mutating func notePostponed(until: Timestamp) {
    askedAt = nil
    nextAt = until
  }

  /// Records that a request failed, or that its verification did not arrive.
  ///
  /// - Parameter chance: a random number in 0..<1.
  package mutating func noteFailure(_ message: String, at now: Timestamp, chance: Double) -> Notice?
  {
    let isFirst = failureCount == 0
    failureCount = min(failureCount + 1, 1_000_000)
    failingSince = failingSince ?? now
    failure = String(message.prefix(Self.failureBytesMax))
    if !isActive(at: now) { state = .failing }
    let failingFor = max(.zero, now - (failingSince ?? now))
    nextAt =
      now
      + max(
        Self.retryMin,
        Backoff.jobDelay(
          failures: failureCount, failingFor: failingFor, pace: nil, chance: chance))
    return isFirst ? .failed(message) : nil
  }

  /// Records that the hub has verified a request. Without `leaseSeconds`, the lease is
  /// `leaseAsked`.
  package mutating func noteVerified(
    leaseSeconds: Int64?, at now: Timestamp, chance: Double
  ) -> Notice? {
    let isNews = state != .active
    let seconds = leaseSeconds ?? Self.leaseAsked.components.seconds
    let lease = min(Duration.seconds(max(1, min(seconds, 1 << 32))), Self.leaseMax)
    state = .active
    verifiedAt = now
    leaseEndsAt = now + lease
    // The renewal is due after 63% to 67% of the lease, so that not all subscriptions are renewed
    // at once. The delay is at least `renewalMin`.
    let share = 2.0 / 3 * (1 - min(max(chance, 0), 1) / 20)
    nextAt =
      now + max(Self.renewalMin, .milliseconds(Int64(Double(lease.wholeMilliseconds) * share)))
    failureCount = 0
    failingSince = nil
    failure = nil
    return isNews ? .verified : nil
  }

  /// Records that the hub has refused a request, or ended the subscription.
  package mutating func noteDenied(_ reason: String, at now: Timestamp) -> Notice? {
    let isNews = state != .denied
    state = .denied
    leaseEndsAt = nil
    failure = String(reason.prefix(Self.failureBytesMax))
    nextAt = now + Self.deniedInterval
    return isNews ? .denied(reason) : nil
  }

  package mutating func notePush(at now: Timestamp) {
    pushCount += 1
    lastPushAt = now
    trust.noteArrival()
  }

  /// Ends the subscription. Its row stays in the store until `isForgettable` returns true, so that
  /// later pushes from the hub can be answered with 410 Gone.
  package mutating func end() {
    state = .ended
    nextAt = nil
  }

  /// Whether the subscription has ended and its row can be deleted. The row stays for
  /// `verificationMax` after the end of the lease, or after the last request if there is no lease.
  package func isForgettable(at now: Timestamp) -> Bool {
    state == .ended && now > (leaseEndsAt ?? askedAt ?? .distantPast) + Self.verificationMax
  }

  /// Makes a request to the hub due now, unless the subscription has ended.
  package mutating func renew(at now: Timestamp) {
    if state != .ended { nextAt = now }
  }

  /// Returns whether the lease has ended without a renewal. If so, records this failure.
  package mutating func noteTime(_ now: Timestamp) -> Bool {
    guard state == .active, let leaseEndsAt, now >= leaseEndsAt else { return false }
    state = .failing
    failure = failure ?? "the lease has ended"
    nextAt = nextAt ?? now
    return true
  }
}

extension Timestamp {
  fileprivate static let distantPast = Timestamp(seconds: 0)
}

// MARK: The messages of hubs

extension Subscription {
  /// The meaning of a hub's GET request to a callback.
  package enum Verification: Equatable, Sendable {
    /// The hub verifies a request. It expects the challenge as the answer.
    case verified(challenge: String, leaseSeconds: Int64?)
    case denied(reason: String)
    /// The message is not accepted: see `verification`.
    case unknown
  }

  package static let challengeBytesMax = 1_024

  /// Returns the meaning of a hub's GET request. The meaning is `unknown` if the message is
  /// invalid, the subscription has ended, or the message names another topic. A verification is
  /// also `unknown` if `askedAt` is nil or more than `verificationMax` ago.
  ///
  /// - Parameter query: the decoded parameters of the address.
  package func verification(
    _ query: [(name: String, value: String)], now: Timestamp
  ) -> Verification {
    func only(_ name: String) -> String? {
      let values = query.filter { ExactText($0.name) == ExactText(name) }
      return values.count == 1 ? values.first?.value : nil
    }
    guard state != .ended, let topic = only("hub.topic"),
      ExactText(topic) == ExactText(self.topic)
    else { return .unknown }
    switch only("hub.mode") {
    case "subscribe":
      guard let askedAt, (.zero...Self.verificationMax).contains(now - askedAt),
        let challenge = only("hub.challenge"),
        (1...Self.challengeBytesMax).contains(challenge.utf8.count)
      else { return .unknown }
      return .verified(
        challenge: challenge, leaseSeconds: only("hub.lease_seconds").flatMap(seconds))
    case "denied":
      let reason = only("hub.reason").map { PlainText.line($0) } ?? ""
      return .denied(
        reason: reason.isEmpty
          ? "the hub gave no reason" : String(reason.prefix(Self.failureBytesMax)))
    default: return .unknown
    }
  }

  private func seconds(_ text: String) -> Int64? {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return Int64(text)
  }

  /// Returns the fields of the form that requests the subscription from the hub.
  ///
  /// - Parameter callback: the full address of the callback.
  package func form(callback: String) -> [(name: String, value: String)] {
    [
      ("hub.mode", "subscribe"), ("hub.topic", topic), ("hub.callback", callback),
      ("hub.secret", Hexadecimal.text(of: secret)),
      ("hub.lease_seconds", String(Self.leaseAsked.components.seconds)),
    ]
  }
}
