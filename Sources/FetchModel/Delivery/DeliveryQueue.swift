package import FetchValues

/// Which of the waiting deliveries go out now: a value without a clock.
///
/// In order for each hook and job, one at a time; the deliveries of a digest go together, those of all
/// jobs of the hook. A hook has so many under way at once, and no more than its rate allows. What is of
/// a hook that is not known stays as it is.
package struct DeliveryQueue: Sendable {
  /// An order of deliveries. Those of a digest are of no job.
  private struct Lane: Hashable {
    var hook: String
    var job: ExactText?
  }

  /// What is to be sent in one attempt.
  package struct Start: Equatable, Sendable {
    package var hook: String
    /// In their order; without their payloads.
    package var deliveries: [Delivery]
    package var isDigest: Bool
    /// Whether the digest is new: which ones are in it is to be written down before it is sent.
    package var isNewDigest: Bool
    /// As the rate of the hook counts it.
    var begunAt = Timestamp(milliseconds: 0)
  }

  /// Under way for one hook.
  package static let atOncePerHookMax = 4
  /// Under way for all hooks.
  package static let atOnceMax = 16
  /// Of these, kept for hooks that have none under way: sinks that are down and say so late must not
  /// keep others from theirs.
  package static let keptForOthersMax = atOnceMax - atOncePerHookMax
  /// In one digest; more make another one.
  package static let digestMax = 200

  private var hooks: [HookConfig] = []
  private var waiting: [Lane: [Delivery]] = [:]
  private var lanesOfHook: [String: Set<Lane>] = [:]
  private var running: [String: Set<Lane>] = [:]
  private var runningCount = 0
  /// Of hooks with a rate.
  private var paces: [String: DeliveryPace] = [:]
  private var retimed: [Int64: Timestamp?] = [:]

  package init() {}

  /// Waiting or under way, of hooks that are known.
  package var count: Int {
    hooks.reduce(0) { sum, hook in
      sum + (lanesOfHook[hook.name] ?? []).reduce(0) { $0 + (waiting[$1]?.count ?? 0) }
    }
  }

  package var isBusy: Bool { runningCount > 0 }

  package func hook(named name: String) -> HookConfig? { hooks.first { $0.name == name } }

  package mutating func setHooks(_ hooks: [HookConfig]) {
    self.hooks = hooks
    for hook in hooks where hook.rate == nil { paces[hook.name] = nil }
    let all = waiting.values.flatMap(\.self).sorted { $0.id < $1.id }
    waiting = [:]
    lanesOfHook = [:]
    for delivery in all { add(delivery) }
  }

  // MARK: In and out

  private func lane(of delivery: Delivery) -> Lane {
    if case .digest? = hook(named: delivery.hook)?.batching { return Lane(hook: delivery.hook) }
    // Made when the hook had digests.
    if delivery.digest != nil { return Lane(hook: delivery.hook) }
    return Lane(hook: delivery.hook, job: ExactText(delivery.job))
  }

  /// Takes in one that waits, with the time that its hook gives now; one that is in already is
  /// replaced.
  package mutating func add(_ delivery: Delivery) {
    var delivery = delivery
    if let hook = hook(named: delivery.hook), let changed = delivery.retimed(by: hook) {
      delivery = changed
      retimed[changed.id] = .some(changed.nextAttemptAt)
    }
    let lane = lane(of: delivery)
    lanesOfHook[delivery.hook, default: []].insert(lane)
    var all = waiting[lane] ?? []
    if let index = all.firstIndex(where: { $0.id == delivery.id }) {
      all[index] = delivery
    } else if let last = all.last, last.id > delivery.id {
      all.insert(delivery, at: all.firstIndex { $0.id > delivery.id } ?? all.endIndex)
    } else {
      all.append(delivery)
    }
    waiting[lane] = all
  }

  /// The new times of deliveries whose hook gives another one now, once: to be written down.
  package mutating func takeRetimed() -> [Int64: Timestamp?] {
    defer { retimed = [:] }
    return retimed
  }

  package mutating func remove(_ ids: Set<Int64>) {
    for (lane, all) in waiting where all.contains(where: { ids.contains($0.id) }) {
      let left = all.filter { !ids.contains($0.id) }
      waiting[lane] = left.isEmpty ? nil : left
      if left.isEmpty { lanesOfHook[lane.hook]?.remove(lane) }
    }
  }

  // MARK: Beginning and ending

  /// All that may begin now, which is under way then.
  package mutating func begin(now: Timestamp) -> [Start] {
    var starts: [Start] = []
    for hook in hooks {
      for lane in (lanesOfHook[hook.name] ?? []).sorted(by: { first($0) < first($1) }) {
        guard hasRoom(hook), rateOpensAt(hook, now) == nil else { break }
        guard !running[hook.name, default: []].contains(lane),
          var start = start(of: hook, lane, now)
        else { continue }
        start.begunAt = now
        running[hook.name, default: []].insert(lane)
        runningCount += 1
        if let rate = hook.rate { paces[hook.name, default: DeliveryPace()].begin(rate, now: now) }
        starts.append(start)
      }
    }
    return starts
  }

  private func hasRoom(_ hook: HookConfig) -> Bool {
    let count = running[hook.name]?.count ?? 0
    if count == 0 { return runningCount < Self.atOnceMax }
    let idleCount = hooks.count { running[$0.name]?.isEmpty ?? true }
    return count < Self.atOncePerHookMax
      && runningCount + min(idleCount, Self.keptForOthersMax) < Self.atOnceMax
  }

  private func first(_ lane: Lane) -> Int64 { waiting[lane]?.first?.id ?? .max }

  private func start(of hook: HookConfig, _ lane: Lane, _ now: Timestamp) -> Start? {
    guard let all = waiting[lane], let first = all.first, first.isDue(now) else { return nil }
    guard lane.job == nil else {
      return Start(
        hook: hook.name, deliveries: [first], isDigest: false, isNewDigest: false)
    }
    if let digest = first.digest {
      let made = all.filter { $0.digest == digest }
      return Start(hook: hook.name, deliveries: made, isDigest: true, isNewDigest: false)
    }
    var made = Array(
      all.prefix(while: { $0.digest == nil && $0.isDue(now) }).prefix(Self.digestMax))
    for index in made.indices { made[index].digest = first.id }
    return Start(hook: hook.name, deliveries: made, isDigest: true, isNewDigest: true)
  }

  /// An attempt has ended; what became of its deliveries is told by `add` and `remove`.
  package mutating func end(_ start: Start) {
    guard let delivery = start.deliveries.first else { return }
    let lane =
      start.isDigest
      ? Lane(hook: start.hook) : Lane(hook: start.hook, job: ExactText(delivery.job))
    if running[start.hook]?.remove(lane) != nil { runningCount -= 1 }
  }

  /// Lets them wait until then, whatever else they wait for.
  package mutating func delay(_ ids: Set<Int64>, until: Timestamp) {
    for lane in waiting.keys {
      for index in waiting[lane, default: []].indices
      where ids.contains(waiting[lane, default: []][index].id) {
        waiting[lane]?[index].nextAttemptAt = until
      }
    }
  }

  /// When the next may begin, of those that are not under way; nil: none waits for a time.
  package func nextWake(now: Timestamp) -> Timestamp? {
    var next: Timestamp?
    for hook in hooks {
      // The end of one that is under way looks again.
      guard hasRoom(hook) else { continue }
      let opensAt = rateOpensAt(hook, now)
      for lane in lanesOfHook[hook.name] ?? []
      where !running[hook.name, default: []].contains(lane) {
        guard let first = waiting[lane]?.first else { continue }
        var at = max(first.nextAttemptAt ?? now, now)
        if let opensAt { at = max(at, opensAt) }
        next = min(next ?? at, at)
      }
    }
    return next
  }

  // MARK: Rates

  /// nil: now.
  private func rateOpensAt(_ hook: HookConfig, _ now: Timestamp) -> Timestamp? {
    hook.rate.flatMap { paces[hook.name]?.opensAt($0, now: now) }
  }

  /// Until when the rate of a hook lets nothing out, once its pace is known; nil: it does now, or the
  /// hook has none.
  package func rateOpensAt(of hook: String, now: Timestamp) -> Timestamp? {
    self.hook(named: hook).flatMap { rateOpensAt($0, now) }
  }

  /// Whether a hook has a rate, and nobody has said what it has sent.
  package func lacksPace(of hook: String) -> Bool {
    self.hook(named: hook)?.rate != nil && paces[hook] == nil
  }

  /// Hooks with a rate that have something to send, and of which nobody has said what they have sent:
  /// to be told by `setPace` before anything is begun.
  package var hooksWithoutPace: [String] {
    hooks.map(\.name).filter { lacksPace(of: $0) && lanesOfHook[$0]?.isEmpty == false }
  }

  /// Nothing was sent by it, so it counts for no rate.
  package mutating func takeBack(_ start: Start) {
    paces[start.hook]?.takeBack(begunAt: start.begunAt)
  }

  /// What was kept of it. One that is known already stays: it has what was begun since.
  package mutating func setPace(_ pace: DeliveryPace, of hook: String) {
    if paces[hook] == nil { paces[hook] = pace }
  }

  /// Nil for a hook without a rate.
  package func encodedPace(of hook: String, now: Timestamp) -> [UInt8]? {
    guard let rate = self.hook(named: hook)?.rate else { return nil }
    return paces[hook]?.encoded(rate, now: now)
  }
}

extension Delivery {
  fileprivate func isDue(_ now: Timestamp) -> Bool { nextAttemptAt.map { $0 <= now } ?? true }
}
