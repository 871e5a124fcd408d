import FetchModel
import FetchValues

/// Times that passed while nothing ran. Runs that catch up on all of them one by one form a row: it
/// begins with a missed time and ends when the next time is in the future.
extension Scheduler {
  /// Whether a job whose time has come runs now; otherwise finds it another time.
  mutating func isWanted(_ slot: Int, dueAt: Timestamp, _ now: Timestamp) -> Bool {
    if isInRow(slot), dueAt <= now, cells[slot].schedule.dueReason.isOfClock {
      cells[slot].dueBefore = dueAt
      return true
    }
    guard now - dueAt > Self.missedAfter, cells[slot].schedule.dueReason.isOfClock else {
      return true
    }
    return catchesUp(slot, dueAt, now)
  }

  /// Whether a job runs now for a missed time.
  private mutating func catchesUp(_ slot: Int, _ dueAt: Timestamp, _ now: Timestamp) -> Bool {
    switch jobs[slot].catchUp {
    case .one: return true
    case .all:
      cells[slot].dueBefore = dueAt
      return true
    case .none:
      skips.append(
        Skip(job: JobNumber(Int32(truncatingIfNeeded: slot)), at: now, reason: .missed(dueAt)))
      plan(slot, natural(slot, after: now, now: now))
    case .staggered:
      let delay = jitter.delay(
        job: jobs[slot].name, count: cells[slot].schedule.runCount, max: Self.catchUpSpread)
      cells[slot].schedule.moveDue(to: now + delay, .catchUp)
    }
    settle(slot)
    return false
  }

  private func isInRow(_ slot: Int) -> Bool {
    jobs[slot].catchUp == .all && cells[slot].catchUpsLeft < CatchUp.runsMax
  }

  /// Returns the missed time of the current run, if another one may follow it in the row.
  func caughtUp(_ slot: Int) -> Timestamp? {
    jobs[slot].catchUp == .all && cells[slot].catchUpsLeft > 1 ? cells[slot].dueBefore : nil
  }

  /// Continues or ends the row after a run; at its end, records the times that got no run.
  mutating func countRow(_ slot: Int, _ summary: RunSummary, _ now: Timestamp) {
    let next = cells[slot].schedule
    if summary.isSuccess, caughtUp(slot) != nil, next.dueReason.isOfClock,
      let dueAt = next.dueAt, dueAt <= now
    {
      cells[slot].catchUpsLeft -= 1
      return
    }
    cells[slot].catchUpsLeft = Int16(CatchUp.runsMax)
    guard jobs[slot].catchUp == .all, let last = cells[slot].dueBefore else { return }
    let (count, isAll) = timesMissed(slot, after: last, now)
    guard count > 0 else { return }
    skips.append(
      Skip(
        job: JobNumber(Int32(truncatingIfNeeded: slot)), at: now,
        reason: .leftOut(count, orMore: !isAll)))
  }

  /// Returns how many times of its interval have passed since then, and whether these are all.
  private func timesMissed(
    _ slot: Int, after last: Timestamp, _ now: Timestamp
  ) -> (count: Int, isAll: Bool) {
    var count = 0
    var time = last
    while count < Self.timesCountedMax {
      guard var next = natural(slot, after: time, now: time)?.at, next > time else { break }
      if let runTimes = jobs[slot].runTimes, let opening = runTimes.next(from: next) {
        next = opening
      }
      guard next <= now else { return (count, true) }
      time = next
      count += 1
    }
    return (count, count < Self.timesCountedMax)
  }

  /// The most times that are counted; a record needs no more.
  private static let timesCountedMax = 1000
}

extension DueReason {
  /// Whether the reason is a clock's time, which may be missed. Other reasons promise a run.
  fileprivate var isOfClock: Bool {
    switch self {
    case .triggered, .firstRun, .abandoned, .cancelled: false
    default: true
    }
  }
}
