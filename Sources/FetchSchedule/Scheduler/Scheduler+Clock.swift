import FetchModel
import FetchValues

/// The handling of the machine's clock, which people and time servers set.
extension Scheduler {
  /// The least step back; below it the clock counts as standing still, as when it is adjusted.
  static let setBackMin: Duration = .seconds(60)

  /// Takes note of the time. Later decisions use `seenAt`.
  mutating func see(_ now: Timestamp) {
    if now >= seenAt {
      seenAt = now
    } else if seenAt - now >= Self.setBackMin {
      setBack(to: now)
    }
  }

  /// Handles a clock that was set back. Each wait lasts as long as before, and times that depend on
  /// the hour are computed again. A job's history stays as noted: the present clock may be the
  /// wrong one, as on a board that begins in 1970 until a time server answers.
  private mutating func setBack(to now: Timestamp) {
    let step = seenAt - now
    seenAt = now
    for slot in cells.indices {
      let place = cells[slot].place
      if place == .scheduled || place == .limited { leave(slot) }
      setBack(slot, by: step)
      // A job that waited for its own budget is due and checks it again.
      if place == .scheduled || place == .limited { settle(slot) }
    }
    for lane in lanes.indices {
      lanes[lane].setBack(by: step, to: now)
      refresh(lane: lane)
    }
    budget.setBack(to: now)
    for slot in quotas.keys { quotas[slot]?.setBack(to: now) }
    network.setBack(by: step)
    storeState.setBack(by: step)
    lastStoreTrouble = lastStoreTrouble.map { (min($0.endedAt, now), $0.delay) }
    outages.forget()
    allPausedAt = allPausedAt.map { min($0, now) }
    blocked = nil
  }

  /// Moves the times of a job that is in no queue back, like `seenAt`.
  mutating func setBack(_ slot: Int, by step: Duration) {
    cells[slot].schedule.setBack(by: step, to: seenAt)
    cells[slot].dueBefore = cells[slot].dueBefore?.setBack(by: step, to: seenAt)
    cells[slot].earlierReasonsBefore = cells[slot].earlierReasonsBefore.setBack(
      by: step, to: seenAt)
    guard let due = cells[slot].schedule.dueAt, due > seenAt else { return }
    switch cells[slot].schedule.dueReason {
    case .cron: plan(slot, natural(slot, after: seenAt, now: seenAt))
    case .runTimes:
      // A job without run times keeps its time.
      guard let runTimes = jobs[slot].runTimes else { return }
      if let opening = runTimes.next(from: seenAt) {
        cells[slot].schedule.moveDue(to: opening, .runTimes)
      } else {
        plan(slot, nil)
      }
    default: break
    }
  }
}

extension Timestamp {
  /// Returns the time after a clock was set back to `now`: past times stay past, future ones keep
  /// their distance.
  fileprivate func setBack(by step: Duration, to now: Timestamp) -> Timestamp {
    self > now ? max(self + (.zero - step), now) : self
  }
}

extension [DueTime.Link] {
  fileprivate func setBack(by step: Duration, to now: Timestamp) -> [DueTime.Link] {
    map { DueTime.Link(at: $0.at.setBack(by: step, to: now), reason: $0.reason) }
  }
}

extension JobSchedule {
  fileprivate mutating func setBack(by step: Duration, to now: Timestamp) {
    func moved(_ time: Timestamp?) -> Timestamp? { time?.setBack(by: step, to: now) }
    dueAt = moved(dueAt)
    earlierReasons = earlierReasons.setBack(by: step, to: now)
    lastStartAt = moved(lastStartAt)
    if pausedAt != nil { pausedAt = moved(pausedAt) }
    if lastPushAt != nil { lastPushAt = moved(lastPushAt) }
  }
}

extension Lane {
  fileprivate mutating func setBack(by step: Duration, to now: Timestamp) {
    gapEndsAt = gapEndsAt.setBack(by: step, to: now)
    closedUntil = closedUntil.setBack(by: step, to: now)
  }
}

extension Network {
  fileprivate mutating func setBack(by step: Duration) {
    guard case .suspected(let since, let probeAt, let delay) = self else { return }
    self = .suspected(
      since: since + (.zero - step), probeAt: probeAt + (.zero - step), probeDelay: delay)
  }
}

extension StoreState {
  fileprivate mutating func setBack(by step: Duration) {
    guard case .refusing(let trouble, let since, let probeAt, let delay) = self else { return }
    self = .refusing(
      trouble, since: since + (.zero - step), probeAt: probeAt + (.zero - step), probeDelay: delay)
  }
}
