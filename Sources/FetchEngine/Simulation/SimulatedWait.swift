import FetchSchedule
import FetchValues

/// The wait of a job after its due time, with the duration of each obstacle.
struct SimulatedWait {
  let since: Timestamp
  private var reason: WaitReason
  private var seenAt: Timestamp
  /// The total duration of each kind of obstacle, with the latest reason of that kind. The kinds
  /// are in the order of their first appearance.
  private var held: [(reason: WaitReason, length: Duration)] = []

  init(since: Timestamp, for reason: WaitReason, from start: Timestamp) {
    self.since = since
    self.reason = reason
    seenAt = start
  }

  /// Records that the given obstacle applies from now on. The previous obstacle lasted until now.
  mutating func note(_ next: WaitReason, now: Timestamp) {
    count(until: now)
    reason = next
  }

  /// Ends the wait now. Finds the kind of obstacle that lasted longest, and returns its latest
  /// reason. If two kinds lasted equally long, chooses the kind that appeared first. If no time has
  /// passed, returns the present reason.
  mutating func longest(until now: Timestamp) -> WaitReason {
    count(until: now)
    var longest = held.first
    for other in held.dropFirst() where other.length > longest?.length ?? .zero { longest = other }
    return longest?.reason ?? reason
  }

  private mutating func count(until now: Timestamp) {
    guard now > seenAt else { return }
    let length = now - seenAt
    seenAt = now
    if let place = held.firstIndex(where: { $0.reason.kind == reason.kind }) {
      held[place] = (reason, held[place].length + length)
    } else {
      held.append((reason, length))
    }
  }
}

extension WaitReason {
  /// A kind of obstacle. Similar obstacles have the same kind: for example, a paused job and a
  /// disabled job.
  fileprivate enum Kind {
    case time, laneBusy, laneGap, laneClosed, runsAtOnce, budget, ownBudget, offline, networkDown
    case store, acPower, load, running, paused, runTimes, turn
  }

  fileprivate var kind: Kind {
    switch self {
    case .notDue, .noInterval, .unlisted, .backOff, .pushLimited: .time
    case .laneBusy: .laneBusy
    case .laneGap: .laneGap
    case .laneClosed: .laneClosed
    case .budget(.runsAtOnce): .runsAtOnce
    case .budget: .budget
    case .ownBudget: .ownBudget
    case .offline: .offline
    case .networkDown: .networkDown
    case .store: .store
    case .acPower: .acPower
    case .load: .load
    case .running: .running
    case .paused, .allPaused, .disabled: .paused
    case .outsideRunTimes: .runTimes
    case .turn: .turn
    }
  }
}
