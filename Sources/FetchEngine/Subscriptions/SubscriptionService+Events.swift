import FetchHost
package import FetchModel
package import FetchSchedule
import FetchValues
import Synchronization

/// The reactions to ended runs and to messages from hubs, and the answers to people's requests.
extension SubscriptionService {
  package func noteRun(_ report: RunReport) {
    let record = report.record
    let job = record.job
    let now = setup.time.now()
    // A step of the loop looks at all subscriptions, and thousands of runs may end in a minute. The
    // loop is therefore woken only if the run has changed something that a step must handle.
    let (pushed, isChange) = state.withLock { state -> (Int64?, Bool) in
      let known = state.subscriptions(of: job)
      let isFound = report.hub.map { !state.isLoaded || $0.differs(from: known) } ?? false
      if report.hub != nil { state.found[job] = isFound ? report.hub : nil }
      guard let subscription = known.first(where: { $0.isActive(at: now) }) else {
        return (nil, isFound)
      }
      let before = state.watches[job]?.nextAt
      let hasNews: Bool? =
        switch record.outcome {
        case .newData: true
        case .noData: false
        case .failed: nil
        }
      let isReported = state.watches[job, default: NewsWatch()].noteRun(
        hasNews: hasNews, startedAt: record.startedAt, lastPushAt: subscription.lastPushAt,
        isPushed: record.trigger == .push, now: now)
      let isMoved = state.watches[job]?.nextAt != before
      return (isReported ? subscription.id : nil, isFound || isReported || isMoved)
    }
    if let pushed { _ = change(pushed, isUrgent: false) { $0.trust.notePushed(at: now) } }
    if isChange { loop.poke() }
  }

  /// Handles a hub's message that the web process has checked. Returns whether the subscription is
  /// known, and the answer to a push.
  ///
  /// The answer is nil for messages other than pushes and for an unknown subscription. A push to an
  /// ended subscription, or for a job that no longer exists, is answered as if the subscription
  /// were unknown.
  package func take(_ message: HubMessage, of id: Int64) -> (isKnown: Bool, answer: TriggerAnswer?)
  {
    let now = setup.time.now()
    let chance = chance()
    switch message {
    case .verified(let leaseSeconds):
      return settle(id) { $0.noteVerified(leaseSeconds: leaseSeconds, at: now, chance: chance) }
    case .denied(let reason): return settle(id) { $0.noteDenied(reason, at: now) }
    case .pushed: return push(id, now)
    }
  }

  /// Applies a hub's decision to the subscription, and reports the notice that results, if any.
  private func settle(
    _ id: Int64, _ decide: (inout Subscription) -> Subscription.Notice?
  ) -> (isKnown: Bool, answer: TriggerAnswer?) {
    let noted = change(id) { (decide(&$0), $0) }
    if case (let notice?, let subscription)? = noted { report(notice, subscription) }
    publish()
    loop.poke()
    return (noted != nil, nil)
  }

  private func push(_ id: Int64, _ now: Timestamp) -> (isKnown: Bool, answer: TriggerAnswer?) {
    let job = change(id, isUrgent: false) { subscription -> JobName? in
      guard subscription.state != .ended else { return nil }
      subscription.notePush(at: now)
      return subscription.job
    }
    guard let job = job ?? nil else { return (false, nil) }
    let isLate = state.withLock { state in
      state.watches[job, default: NewsWatch()].notePush(at: now)
    }
    if isLate { _ = change(id, isUrgent: false) { $0.trust.notePushed(at: now) } }
    let answer = setup.jobs.trigger(job, .push, now: now)
    setup.onTrigger()
    loop.poke()
    return (answer != nil, answer)
  }

  // MARK: Answers to people

  /// All subscriptions, in the order of their ids.
  package var all: [Subscription] {
    state.withLock { $0.subscriptions.values.sorted { $0.id < $1.id } }
  }

  func job(of id: Int64) -> JobName? { state.withLock { $0[id]?.job } }

  package var missedCount: Int { state.withLock { $0.missedCount } }

  /// Makes the renewal of a subscription due now. Returns the subscription; nil if it does not
  /// exist or has ended.
  package func renew(_ id: Int64) -> Subscription? {
    let now = setup.time.now()
    let renewed = change(id) { subscription -> Subscription? in
      guard subscription.state != .ended else { return nil }
      subscription.renew(at: now)
      return subscription
    }
    loop.poke()
    return renewed ?? nil
  }

  /// Returns one sentence about each of a job's subscriptions that have not ended.
  func sentences(of job: JobName, now: Timestamp) -> [String] {
    state.withLock { $0.subscriptions(of: job) }.map { $0.sentence(now: now) }
  }
}

extension HubDiscovery {
  /// Whether a job's subscriptions do not match this discovery. A found hub requires exactly one
  /// subscription, to this hub and topic. If no hub was found, there must be no subscription.
  /// `known` contains the job's subscriptions that have not ended.
  fileprivate func differs(from known: [Subscription]) -> Bool {
    switch self {
    case .none: !known.isEmpty
    case .hub(let hub, let topic): known.count != 1 || !known[0].isAbout(topic, at: hub)
    }
  }
}
