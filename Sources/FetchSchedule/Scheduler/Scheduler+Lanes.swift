package import FetchModel
package import FetchValues

extension Scheduler {
  /// Puts a lane into the queue that fits what it is waiting for.
  mutating func refresh(lane number: Int) {
    let index = Int32(truncatingIfNeeded: number)
    var wanted = Lane.Queue.none
    if let first = lanes[number].waiting.first, !lanes[number].isFull {
      let opensAt = lanes[number].opensAt
      if opensAt > seenAt {
        wanted = .timed
        let opensAt = opensAt.milliseconds
        if lanes[number].queue == .timed {
          timed.move(index, to: opensAt, &lanePositions)
        } else {
          drop(lane: number)
          timed.push(index, key: opensAt, &lanePositions)
        }
      } else {
        wanted = .ready
        blocked = nil
        if lanes[number].queue == .ready {
          ready.move(index, to: first.key, &lanePositions)
        } else {
          drop(lane: number)
          ready.push(index, key: first.key, &lanePositions)
        }
      }
    } else {
      drop(lane: number)
    }
    lanes[number].queue = wanted
  }

  private mutating func drop(lane number: Int) {
    let index = Int32(truncatingIfNeeded: number)
    switch lanes[number].queue {
    case .none: return
    case .ready: ready.remove(index, &lanePositions)
    case .timed: timed.remove(index, &lanePositions)
    }
    lanes[number].queue = .none
    blocked = nil
  }

  /// Keeps a hostname from being asked before that instant, whoever asks: a Retry-After that was
  /// seen elsewhere or before a restart.
  package mutating func close(_ hostname: String, until: Timestamp, now: Timestamp) {
    see(now)
    let number = Int(lane(of: hostname))
    lanes[number].close(until: until, .retryAfter)
    refresh(lane: number)
  }

  /// What a hostname answered to a run that failed by it, of a job that asks it beside its own.
  package mutating func note(_ status: Int, of hostname: String, now: Timestamp) {
    guard Lane.minds(status), !hostname.isEmpty else { return }
    see(now)
    let number = Int(lane(of: hostname))
    change(lane: number) { [seenAt] in $0.note(status, now: seenAt) }
    refresh(lane: number)
  }

  /// A hostname has answered well to a run of a job that asks it beside its own.
  package mutating func noteSuccess(of hostname: String) {
    guard let number = laneNumbers[ExactText(hostname)] else { return }
    change(lane: Int(number)) { $0.noteSuccess() }
  }

  /// Until when a hostname is left alone; nil: it is not.
  package func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
    guard let number = laneNumbers[ExactText(hostname)] else { return nil }
    let until = lanes[Int(number)].closedUntil
    return until > now ? until : nil
  }

  /// Charges what came without a run; see `Budget.charge`.
  package mutating func charge(_ cost: RunCost, now: Timestamp) {
    budget.charge(cost, now: now)
    blocked = nil
  }

  /// Hostnames that are left alone, to be kept across restarts; in the order of their names. By
  /// default as of the latest time that was seen.
  package func closures(
    now: Timestamp? = nil
  ) -> [(hostname: String, until: Timestamp, why: LaneClosure)] {
    let now = now ?? seenAt
    return lanes.filter { $0.closedUntil > now }
      .map { ($0.hostname, $0.closedUntil, $0.closure) }
      .sorted { ExactText($0.hostname) < ExactText($1.hostname) }
  }

  /// Other rules for all hostnames; runs under way go on.
  package mutating func setLaneRules(_ rules: LaneRules) {
    guard rules != laneRules else { return }
    laneRules = rules
    for number in lanes.indices.dropFirst() {
      lanes[number].rule = rules.rule(for: lanes[number].hostname)
      refresh(lane: number)
    }
  }

  /// Another budget, of which somebody has taken over what was spent and set aside; runs under way
  /// are settled with it. What is limited for the first time is set aside for them here.
  package mutating func setBudget(_ budget: Budget, now: Timestamp) {
    see(now)
    let before = self.budget
    self.budget = budget
    let running = cells.lazy.filter { $0.place == .running }.map(\.schedule.estimate)
    self.budget.resume(Array(running), after: before, now: seenAt)
    blocked = nil
  }
}
