package import FetchModel
package import FetchValues

extension Scheduler {
  /// Puts a lane into the queue that fits its state.
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

  /// Closes a hostname for all jobs until that instant: a Retry-After from elsewhere or from before
  /// a restart.
  package mutating func close(_ hostname: String, until: Timestamp, now: Timestamp) {
    see(now)
    let number = Int(lane(of: hostname))
    lanes[number].close(until: until, .retryAfter)
    refresh(lane: number)
  }

  /// Notes an answer that made a run fail, from a hostname other than the job's own.
  package mutating func note(_ status: Int, of hostname: String, now: Timestamp) {
    guard Lane.minds(status), !hostname.isEmpty else { return }
    see(now)
    let number = Int(lane(of: hostname))
    change(lane: number) { [seenAt] in $0.note(status, now: seenAt) }
    refresh(lane: number)
  }

  /// Notes a successful answer from a hostname other than the job's own.
  package mutating func noteSuccess(of hostname: String) {
    guard let number = laneNumbers[ExactText(hostname)] else { return }
    change(lane: Int(number)) { $0.noteSuccess() }
  }

  /// Returns the time until which a hostname is left alone; nil if it is not.
  package func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
    guard let number = laneNumbers[ExactText(hostname)] else { return nil }
    let until = lanes[Int(number)].closedUntil
    return until > now ? until : nil
  }

  /// Charges a cost without a run; see `Budget.charge`.
  package mutating func charge(_ cost: RunCost, now: Timestamp) {
    budget.charge(cost, now: now)
    blocked = nil
  }

  /// Returns the hostnames that are left alone, in the order of their names, to be stored across
  /// restarts. The default time is the latest one seen.
  package func closures(
    now: Timestamp? = nil
  ) -> [(hostname: String, until: Timestamp, why: LaneClosure)] {
    let now = now ?? seenAt
    return lanes.filter { $0.closedUntil > now }
      .map { ($0.hostname, $0.closedUntil, $0.closure) }
      .sorted { ExactText($0.hostname) < ExactText($1.hostname) }
  }

  /// Changes the rules for all hostnames; current runs continue.
  package mutating func setLaneRules(_ rules: LaneRules) {
    guard rules != laneRules else { return }
    laneRules = rules
    for number in lanes.indices.dropFirst() {
      lanes[number].rule = rules.rule(for: lanes[number].hostname)
      refresh(lane: number)
    }
  }

  /// Replaces the budget. The caller has already copied the spent and reserved amounts; current
  /// runs are settled with the new budget. Amounts of newly limited resources are reserved here.
  package mutating func setBudget(_ budget: Budget, now: Timestamp) {
    see(now)
    let before = self.budget
    self.budget = budget
    let running = cells.lazy.filter { $0.place == .running }.map(\.schedule.estimate)
    self.budget.resume(Array(running), after: before, now: seenAt)
    blocked = nil
  }
}
