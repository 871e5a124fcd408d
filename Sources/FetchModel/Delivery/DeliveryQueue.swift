package import FetchValues

/// The queue of waiting deliveries, with the rule for which deliveries to send now. The caller
/// passes the present time.
///
/// For each hook and job, one delivery is sent at a time, in the order of ids. A digest combines
/// deliveries of all the hook's jobs in one message. Each hook has a limit of concurrent attempts,
/// and may have a rate. Deliveries of hooks that are not in the config stay in the queue.
package struct DeliveryQueue: Sendable {
  /// The key of a group of deliveries that are sent one after the other. The job is nil for a
  /// hook's digests.
  private struct Lane: Hashable {
    var hook: HookName
    var job: JobName?
  }

  /// The contents of an attempt to deliver that the queue has started.
  package struct Start: Equatable, Sendable {
    package var hook: HookName
    /// The deliveries in the order of their ids.
    package var deliveries: [Delivery]
    package var isDigest: Bool
    /// Whether the digest is new. The caller must store the deliveries of a new digest, which
    /// contain the digest's id, before it sends the digest.
    package var isNewDigest: Bool
    /// The start time of the attempt, which counts towards the hook's rate.
    var begunAt = Timestamp(milliseconds: 0)
  }

  /// The maximum number of concurrent attempts for one hook.
  package static let atOncePerHookMax = 4
  /// The maximum number of concurrent attempts for all hooks together.
  package static let atOnceMax = 16
  /// The maximum number of attempts that are reserved for hooks without a current attempt, one for
  /// each such hook. A slow or broken receiver of one hook thus cannot block the other hooks.
  package static let keptForOthersMax = atOnceMax - atOncePerHookMax
  /// The maximum number of deliveries in one digest. Further deliveries go into another digest.
  package static let digestMax = 200

  private var hooks: [HookConfig] = []
  private var waiting: [Lane: [Delivery]] = [:]
  private var lanesOfHook: [HookName: Set<Lane>] = [:]
  private var running: [HookName: Set<Lane>] = [:]
  private var runningCount = 0
  private var paces: [HookName: DeliveryPace] = [:]
  private var retimed: [Int64: Timestamp?] = [:]

  package init() {}

  /// The number of deliveries of the configured hooks, including deliveries that are being sent.
  package var count: Int {
    hooks.reduce(0) { sum, hook in
      sum + (lanesOfHook[hook.name] ?? []).reduce(0) { $0 + (waiting[$1]?.count ?? 0) }
    }
  }

  package var isBusy: Bool { runningCount > 0 }

  package func hook(named name: HookName) -> HookConfig? { hooks.first { $0.name == name } }

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
    // A delivery keeps its digest even if the hook no longer uses digests.
    if delivery.digest != nil { return Lane(hook: delivery.hook) }
    return Lane(hook: delivery.hook, job: delivery.job)
  }

  /// Adds a waiting delivery, or replaces the delivery of the same lane that has the same id. If
  /// the delivery waits for a digest, the hook's present settings may move its next attempt to an
  /// earlier time.
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

  /// Replaces the delivery that has the same id; does nothing if the queue has none.
  package mutating func replace(_ delivery: Delivery) {
    let lanes = lanesOfHook[delivery.hook] ?? []
    let isThere = lanes.contains { lane in
      waiting[lane]?.contains { $0.id == delivery.id } ?? false
    }
    if isThere { add(delivery) }
  }

  /// Removes and returns the next-attempt times that changed because the hooks' settings changed,
  /// by delivery id. The caller must store the times.
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

  /// Starts all attempts that may start now and returns them.
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

  /// Ends an attempt. Its deliveries stay in the queue until the caller removes them.
  package mutating func end(_ start: Start) {
    guard let delivery = start.deliveries.first else { return }
    let lane =
      start.isDigest
      ? Lane(hook: start.hook) : Lane(hook: start.hook, job: delivery.job)
    if running[start.hook]?.remove(lane) != nil { runningCount -= 1 }
  }

  /// Sets the earliest time of the next attempt for the given deliveries.
  package mutating func delay(_ ids: Set<Int64>, until: Timestamp) {
    for lane in waiting.keys {
      for index in waiting[lane, default: []].indices
      where ids.contains(waiting[lane, default: []][index].id) {
        waiting[lane]?[index].nextAttemptAt = until
      }
    }
  }

  /// Returns the earliest time at which a waiting delivery may start; nil if there is no such
  /// delivery. The result ignores deliveries that are being sent, and deliveries that wait for the
  /// end of a current attempt.
  package func nextWake(now: Timestamp) -> Timestamp? {
    var next: Timestamp?
    for hook in hooks {
      // The end of a current attempt triggers the next check.
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

  private func rateOpensAt(_ hook: HookConfig, _ now: Timestamp) -> Timestamp? {
    hook.rate.flatMap { paces[hook.name]?.opensAt($0, now: now) }
  }

  /// Returns the time until which a hook's rate blocks deliveries. The result is nil if the rate
  /// allows a delivery now, the hook has no rate, or the hook's pace was not loaded yet.
  package func rateOpensAt(of hook: HookName, now: Timestamp) -> Timestamp? {
    self.hook(named: hook).flatMap { rateOpensAt($0, now) }
  }

  /// Whether a hook has a rate whose pace was not loaded yet.
  package func lacksPace(of hook: HookName) -> Bool {
    self.hook(named: hook)?.rate != nil && paces[hook] == nil
  }

  /// The hooks that have a rate and waiting deliveries, but whose pace was not loaded yet. The
  /// caller must call `setPace` for each such hook before it calls `begin`. Otherwise, the rate
  /// would not count earlier starts.
  package var hooksWithoutPace: [HookName] {
    hooks.map(\.name).filter { lacksPace(of: $0) && lanesOfHook[$0]?.isEmpty == false }
  }

  /// Removes the start of the given attempt from the pace of its hook, so that the attempt does not
  /// count towards the hook's rate.
  package mutating func takeBack(_ start: Start) {
    paces[start.hook]?.takeBack(begunAt: start.begunAt)
  }

  /// Sets a hook's pace as loaded from the store. A pace that is already set stays, because it may
  /// include starts that are not stored.
  package mutating func setPace(_ pace: DeliveryPace, of hook: HookName) {
    if paces[hook] == nil { paces[hook] = pace }
  }

  /// Returns the encoded pace to store; nil if the hook has no rate or no pace.
  package func encodedPace(of hook: HookName, now: Timestamp) -> [UInt8]? {
    guard let rate = self.hook(named: hook)?.rate else { return nil }
    return paces[hook]?.encoded(rate, now: now)
  }
}

extension Delivery {
  fileprivate func isDue(_ now: Timestamp) -> Bool { nextAttemptAt.map { $0 <= now } ?? true }
}
