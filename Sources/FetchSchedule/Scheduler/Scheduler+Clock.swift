import FetchModel
import FetchValues

/// The handling of a machine clock that people or time servers set back.
extension Scheduler {
  /// The minimum step back that is handled as a change of the clock. After a smaller step, such as
  /// an adjustment, the scheduler's time does not advance until the clock has caught up.
  static let setBackMin: Duration = .seconds(60)

  /// Updates `seenAt`, the present time for later decisions.
  mutating func see(_ now: Timestamp) {
    if now >= seenAt {
      seenAt = now
    } else if seenAt - now >= Self.setBackMin {
      setBack(to: now)
    }
  }

  /// Handles a clock that was set back. Each wait lasts as long as before, except that future due
  /// times by a cron line or run times are computed again. The recorded times of successes and
  /// failures stay unchanged, because the new time may be wrong. For example, the clock of some
  /// single-board computers starts in 1970 and is wrong until a time server answers.
  private mutating func setBack(to now: Timestamp) {
    let step = seenAt - now
    seenAt = now
    for slot in cells.indices {
      let place = cells[slot].place
      if place == .scheduled || place == .limited { leave(slot) }
      setBack(slot, by: step)
      // A job that waited for its own budget is due, and the budget is checked again.
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

  /// Moves the future times of a job, except those of successes and failures, back by `step`, by
  /// which the clock was set back. Computes a future due time by a cron line or run times again.
  /// The job must not be in a queue that is ordered by time.
  mutating func setBack(_ slot: Int, by step: Duration) {
    cells[slot].schedule.setBack(by: step, to: seenAt)
    cells[slot].dueBefore = cells[slot].dueBefore?.setBack(by: step, to: seenAt)
    cells[slot].earlierReasonsBefore = cells[slot].earlierReasonsBefore.setBack(
      by: step, to: seenAt)
    guard let due = cells[slot].schedule.dueAt, due > seenAt else { return }
    switch cells[slot].schedule.dueReason {
    case .cron: plan(slot, natural(slot, after: seenAt, now: seenAt))
    case .runTimes:
      // If the job's config no longer has run times, the due time stays.
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
  /// Returns the time that replaces this time after a clock was set back to `now`. A time that is
  /// not after `now` stays unchanged. A later time moves back by `step`, but not to before `now`.
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
