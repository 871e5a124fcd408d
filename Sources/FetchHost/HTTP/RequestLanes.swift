package import FetchModel
package import FetchValues
import Synchronization

/// The turns of requests at hostnames. The turns limit the number of concurrent requests to each
/// hostname. They also keep a gap between the starts of two requests to one hostname.
///
/// A request takes one turn, even if it is redirected or retried. Waiting requests receive their
/// turns in the order in which they began to wait.
package final class RequestLanes: Sendable {
  private struct Lane {
    /// The number of places taken by requests under way and by requests that wait for the gap to
    /// end.
    var placeCount = 0
    /// The time when the last request started and the gap began.
    var lastStart: Duration?
    /// The earliest time when the next request that takes a place may start.
    var nextStart: Duration = .zero
    var waiting: [Waiter] = []

    /// Takes a place for a request. No request overtakes the waiting requests.
    mutating func takePlace(_ rule: LaneRule, _ now: Duration, until deadline: Duration) -> Place {
      let start = max(nextStart, now)
      guard start + rule.gap * waiting.count < deadline else { return .tooLate }
      guard waiting.isEmpty, placeCount < rule.connectionsMax else { return .full }
      placeCount += 1
      nextStart = start + rule.gap
      return .start(start)
    }

    /// Takes a place for a request that starts now. Returns false if it would have to wait.
    mutating func start(_ rule: LaneRule, _ now: Duration) -> Bool {
      guard waiting.isEmpty, placeCount < rule.connectionsMax, nextStart <= now,
        claim(rule.gap, now) == nil
      else { return false }
      placeCount += 1
      return true
    }

    /// Records that a request starts now and returns nil, if the gap since the previous start is
    /// over. Otherwise records nothing and returns the time when the gap ends. The gap may end
    /// later than planned, because the previous request may have started late.
    mutating func claim(_ gap: Duration, _ now: Duration) -> Duration? {
      if let last = lastStart, last + gap > now { return last + gap }
      lastStart = now
      nextStart = max(nextStart, now + gap)
      return nil
    }

    /// Gives one place back, and free places to waiting requests.
    mutating func giveBack(_ rule: LaneRule, _ now: Duration) -> [Resumption] {
      placeCount = max(0, placeCount - 1)
      return fillPlaces(rule, now)
    }

    /// Gives free places to waiting requests. Ends the wait of a request that would start after its
    /// deadline.
    mutating func fillPlaces(_ rule: LaneRule, _ now: Duration) -> [Resumption] {
      var resumed: [Resumption] = []
      while placeCount < rule.connectionsMax, !waiting.isEmpty {
        let waiter = waiting.removeFirst()
        let start = max(nextStart, now)
        guard start < waiter.deadline else {
          resumed.append((waiter.resume, nil))
          continue
        }
        placeCount += 1
        nextStart = start + rule.gap
        resumed.append((waiter.resume, start))
      }
      return resumed
    }
  }

  private struct Waiter {
    var id: UInt64
    var deadline: Duration
    /// Resumes the request with the time when it may start, or with nil if it may not be sent.
    var resume: CheckedContinuation<Duration?, Never>
  }

  private struct State {
    var rules: LaneRules
    var lanes: [String: Lane] = [:]
    var lastID: UInt64 = 0
    var sweepAt = sweepMin
  }

  private let state: Mutex<State>
  /// The function that returns the time since the lanes were created.
  let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (_ until: Duration) async throws -> Void

  /// The number of lanes at which unused lanes are first removed. Unused lanes are removed again
  /// when the number of lanes is at least `sweepMin` and has doubled since the last removal.
  private static let sweepMin = 1024

  package init<C: Clock>(rules: LaneRules = LaneRules(), clock: C = HostClock())
  where C.Duration == Duration {
    state = Mutex(State(rules: rules))
    let begin = clock.now
    elapsed = { begin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: begin.advanced(by: $0), tolerance: nil) }
  }

  /// Sets the rules. If the new rules allow more concurrent requests, waiting requests get places.
  package func setRules(_ rules: LaneRules) {
    let now = elapsed()
    let resumed = state.withLock { state in
      state.rules = rules
      return Array(state.lanes.keys).flatMap { hostname in
        state.lanes[hostname]?.fillPlaces(rules.rule(for: hostname), now) ?? []
      }
    }
    for (waiter, start) in resumed { waiter.resume(returning: start) }
  }

  /// Returns the maximum number of concurrent requests to the hostname.
  package func connectionsMax(at hostname: String) -> Int {
    state.withLock { $0.rules.rule(for: hostname).connectionsMax }
  }

  /// Takes a turn at the hostname if a request may start now; otherwise returns false.
  package func enterNow(_ hostname: String) -> Bool {
    if Task.isCancelled { return false }
    let now = elapsed()
    return state.withLock { state in
      if state.lanes.count >= state.sweepAt { Self.sweep(&state, now) }
      let rule = state.rules.rule(for: hostname)
      return state.lanes[hostname, default: Lane()].start(rule, now)
    }
  }

  /// Waits for a turn at the hostname. `leave` gives the turn back. Returns false if the turn would
  /// come after `timeMax`, or if the task was cancelled. The caller then has no turn to give back.
  package func enter(_ hostname: String, within timeMax: Duration) async -> Bool {
    let now = elapsed()
    guard !Task.isCancelled, timeMax > .zero else { return false }
    let place = state.withLock { state in
      if state.lanes.count >= state.sweepAt { Self.sweep(&state, now) }
      let rule = state.rules.rule(for: hostname)
      return state.lanes[hostname, default: Lane()].takePlace(rule, now, until: now + timeMax)
    }
    switch place {
    case .start(let start):
      if start <= now, claim(hostname) == nil { return true }
      return await waitOutGap(hostname, until: start)
    case .tooLate: return false
    case .full:
      guard let start = await waitForPlace(hostname, until: now + timeMax) else { return false }
      return await waitOutGap(hostname, until: start)
    }
  }

  package func leave(_ hostname: String) {
    let now = elapsed()
    let resumed = state.withLock { state in
      guard let place = state.lanes.index(forKey: hostname) else { return [] as [Resumption] }
      return state.lanes.values[place].giveBack(state.rules.rule(for: hostname), now)
    }
    for (waiter, start) in resumed { waiter.resume(returning: start) }
  }

  /// Whether a request waits until another request to the hostname has ended.
  package func isAwaited(_ hostname: String) -> Bool {
    state.withLock { $0.lanes[hostname]?.waiting.isEmpty == false }
  }

  /// The number of requests under way and waiting, of all hostnames.
  package var usageCount: Int {
    state.withLock { $0.lanes.values.reduce(0) { $0 + $1.placeCount + $1.waiting.count } }
  }

  /// The number of hostnames whose state is kept in memory.
  package var laneCount: Int { state.withLock { $0.lanes.count } }

  // MARK: Places

  private enum Place {
    case start(Duration)
    case tooLate
    case full
  }

  private typealias Resumption = (CheckedContinuation<Duration?, Never>, Duration?)

  private static func sweep(_ state: inout State, _ now: Duration) {
    state.lanes = state.lanes.filter {
      $0.value.placeCount > 0 || !$0.value.waiting.isEmpty || $0.value.nextStart > now
    }
    state.sweepAt = max(sweepMin, state.lanes.count * 2)
  }

  // MARK: Waiting

  /// Waits for a place and returns the time when the request may start. Returns nil, without a
  /// place, if the request cannot start before the deadline or the task is cancelled.
  private func waitForPlace(_ hostname: String, until deadline: Duration) async -> Duration? {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    async let _ = expire(id, hostname, at: deadline)
    return await withTaskCancellationHandler {
      await withCheckedContinuation {
        queue(Waiter(id: id, deadline: deadline, resume: $0), hostname)
      }
    } onCancel: {
      giveUp(id, hostname)
    }
  }

  /// Adds a request to the queue. If the task is already cancelled or the deadline has passed,
  /// resumes the request with nil instead.
  private func queue(_ waiter: Waiter, _ hostname: String) {
    let resumed = state.withLock { state in
      // Read under the lock: otherwise `expire` could find no waiter just before it is added, and
      // nothing would end its wait.
      let now = elapsed()
      if Task.isCancelled || now >= waiter.deadline {
        return [(waiter.resume, nil)] as [Resumption]
      }
      state.lanes[hostname, default: Lane()].waiting.append(waiter)
      // A place may have become free since `takePlace` found none.
      let rule = state.rules.rule(for: hostname)
      return state.lanes[hostname]?.fillPlaces(rule, now) ?? []
    }
    for (waiter, start) in resumed { waiter.resume(returning: start) }
  }

  private func expire(_ id: UInt64, _ hostname: String, at deadline: Duration) async {
    do { try await sleep(deadline) } catch { return }
    giveUp(id, hostname)
  }

  private func giveUp(_ id: UInt64, _ hostname: String) {
    let found = state.withLock { state -> Waiter? in
      guard let place = state.lanes[hostname]?.waiting.firstIndex(where: { $0.id == id }) else {
        return nil
      }
      return state.lanes[hostname]?.waiting.remove(at: place)
    }
    found?.resume.resume(returning: nil)
  }

  // MARK: The gap

  /// Waits until a request that has a place may start. Returns false, and gives the place back, if
  /// the task is cancelled.
  private func waitOutGap(_ hostname: String, until start: Duration) async -> Bool {
    var start: Duration? = start
    while let next = start {
      do { try await sleep(next) } catch {
        leave(hostname)
        return false
      }
      start = claim(hostname)
    }
    return true
  }

  private func claim(_ hostname: String) -> Duration? {
    let now = elapsed()
    return state.withLock { state in
      let gap = state.rules.rule(for: hostname).gap
      return state.lanes[hostname]?.claim(gap, now)
    }
  }
}

/// One request's turn at a hostname. Only the first call of `end` gives the turn back.
final class LaneTurn: Sendable {
  private let lanes: RequestLanes
  private let hostname: String
  private let isOver = Atomic(false)

  /// Creates the turn for which `RequestLanes.enter` has returned true.
  init(of hostname: String, in lanes: RequestLanes) {
    self.lanes = lanes
    self.hostname = hostname
  }

  func end() {
    if !isOver.exchange(true, ordering: .acquiringAndReleasing) { lanes.leave(hostname) }
  }
}

/// A sink that ends a request's turn as soon as `sink` accepts the body. A download that takes
/// hours therefore does not delay requests for pages.
struct TurnEndingSink: BodySink {
  let sink: any BodySink
  let turn: LaneTurn

  func begin(_ head: HTTPHopAnswer, from target: TargetURL) -> BodyWish {
    let wish = sink.begin(head, from: target)
    if wish == .take { turn.end() }
    return wish
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool { sink.take(bytes) }
}

/// A server's `Retry-After`: the time until which the server accepts no requests.
package struct RetryAfterNote: Sendable, Equatable {
  package var origin: String
  package var hostname: String
  package var status: Int
  package var until: Timestamp

  package init(origin: String, hostname: String, status: Int, until: Timestamp) {
    self.origin = origin
    self.hostname = hostname
    self.status = status
    self.until = until
  }
}
