package import FetchModel
package import FetchValues

extension Scheduler {
  /// Puts a lane into the queue that fits the lane's state. A lane that is full or has no waiting
  /// job is in no queue.
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

  /// Closes a hostname for all jobs, at least until the given time. Use this function for a stored
  /// cooldown, or for a Retry-After that the scheduler did not learn from a run on the hostname's
  /// lane.
  package mutating func close(_ hostname: String, until: Timestamp, now: Timestamp) {
    see(now)
    let number = Int(lane(of: hostname))
    lanes[number].close(until: until, .retryAfter)
    refresh(lane: number)
  }

  /// Records the status of a failed run's last answer, which came from the given hostname. Use this
  /// function for hostnames other than the hostname of the run's job.
  package mutating func note(_ status: Int, of hostname: String, now: Timestamp) {
    guard Lane.minds(status), !hostname.isEmpty else { return }
    see(now)
    let number = Int(lane(of: hostname))
    change(lane: number) { [seenAt] in $0.note(status, now: seenAt) }
    refresh(lane: number)
  }

  /// Records that a run's last answer from the given hostname was a success. Use this function for
  /// hostnames other than the hostname of the run's job.
  package mutating func noteSuccess(of hostname: String) {
    guard let number = laneNumbers[ExactText(hostname)] else { return }
    change(lane: Int(number)) { $0.noteSuccess() }
  }

  /// Returns the time until which a hostname is closed; nil if it is open.
  package func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
    guard let number = laneNumbers[ExactText(hostname)] else { return nil }
    let until = lanes[Int(number)].closedUntil
    return until > now ? until : nil
  }

  /// Subtracts from the budget of all jobs a cost that no run causes: see `Budget.charge`.
  package mutating func charge(_ cost: RunCost, now: Timestamp) {
    budget.charge(cost, now: now)
    blocked = nil
  }

  /// Returns the closed hostnames, each with the end and the reason, in the order of their names.
  /// The default of `now` is `seenAt`.
  package func closures(
    now: Timestamp? = nil
  ) -> [(hostname: String, until: Timestamp, why: LaneClosure)] {
    let now = now ?? seenAt
    return lanes.filter { $0.closedUntil > now }
      .map { ($0.hostname, $0.closedUntil, $0.closure) }
      .sorted { ExactText($0.hostname) < ExactText($1.hostname) }
  }

  /// Returns the lanes that are in use or closed, in the order of their hostnames.
  package func laneStates(now: Timestamp) -> [LaneState] {
    lanes.dropFirst().compactMap { lane in
      let isClosed = lane.closedUntil > now
      guard isClosed || lane.runningCount > 0 || !lane.waiting.isEmpty else { return nil }
      return LaneState(
        hostname: lane.hostname, connectionsMax: lane.rule.connectionsMax,
        runningCount: lane.runningCount, waitingCount: lane.waiting.count, gap: lane.rule.gap,
        closedUntil: isClosed ? lane.closedUntil : nil,
        why: isClosed ? lane.closure.phrase : nil)
    }.sorted { ExactText($0.hostname) < ExactText($1.hostname) }
  }

  /// Returns the number of closed lanes, and the number of jobs that wait in lanes.
  package func laneCounts(now: Timestamp) -> (closed: Int, waiting: Int) {
    var counts = (closed: 0, waiting: 0)
    for lane in lanes.indices {
      if lanes[lane].closedUntil > now { counts.closed += 1 }
      counts.waiting += lanes[lane].waiting.count
    }
    return counts
  }

  /// Sets the lane rules for all hostnames. Current runs continue.
  package mutating func setLaneRules(_ rules: LaneRules) {
    guard rules != laneRules else { return }
    laneRules = rules
    for number in lanes.indices.dropFirst() {
      lanes[number].rule = rules.rule(for: lanes[number].hostname)
      refresh(lane: number)
    }
  }

  /// Replaces the budget of all jobs. Current runs are then settled with the new budget. Before the
  /// call, the caller must copy the spent and reserved amounts of the previous budget into
  /// `budget`. For limits with a new resource or period, this function reserves the amounts of
  /// current runs.
  package mutating func setBudget(_ budget: Budget, now: Timestamp) {
    see(now)
    let before = self.budget
    self.budget = budget
    let running = cells.lazy.filter { $0.place == .running }.map(\.schedule.estimate)
    self.budget.resume(Array(running), after: before, now: seenAt)
    blocked = nil
  }
}

/// The counts of a hostname's refusals in the runs of all jobs, and the closure that the refusals
/// caused. The store keeps these marks across restarts, because consecutive refusals may occur in
/// different processes. The times of Retry-After are stored elsewhere.
package struct LaneMarks: Hashable, Sendable {
  /// The values of `Lane.forbiddenCount` and `Lane.stormCount`.
  var forbiddenCount = 0
  var stormCount = 0
  /// The time until which refusals close the hostname; nil or a past time if they do not. `closure`
  /// is the reason.
  package internal(set) var closedUntil: Timestamp?
  var closure: LaneClosure = .tooManyRequests
}

extension LaneMarks: StoredCoding {
  /// Writes a list of four elements: both counts, the end of the closure (or null), and the number
  /// of 403 answers before the closure. The last element is 0 for a closure after a 429, or without
  /// a closure.
  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: 4)
    writer.write(forbiddenCount)
    writer.write(stormCount)
    writer.writeOptional(closedUntil?.milliseconds)
    if case .forbidden(let count) = closure { writer.write(count) } else { writer.write(0) }
  }

  package init(from reader: inout ValueReader) throws(ValueError) {
    guard try reader.readArrayHead() == 4 else { throw .truncated }
    forbiddenCount = try Self.count(&reader)
    stormCount = try Self.count(&reader)
    closedUntil = try reader.readOptionalTime()
    let count = try Self.count(&reader)
    closure = count > 0 ? .forbidden(count) : .tooManyRequests
  }

  private static func count(_ reader: inout ValueReader) throws(ValueError) -> Int {
    max(0, min(Int(clamping: try reader.readInteger()), 1 << 30))
  }
}

extension Lane {
  var marks: LaneMarks {
    var marks = LaneMarks(forbiddenCount: forbiddenCount, stormCount: stormCount)
    if closure != .retryAfter { (marks.closedUntil, marks.closure) = (closedUntil, closure) }
    return marks
  }

  /// Continues with the marks that an earlier process stored. The closure is limited to
  /// `closedMax`, because the clock may have been set back.
  mutating func resume(_ marks: LaneMarks, now: Timestamp) {
    forbiddenCount = marks.forbiddenCount
    stormCount = marks.stormCount
    guard let until = marks.closedUntil, until > now, until >= closedUntil else { return }
    closedUntil = min(until, now + Self.closedMax)
    closure = marks.closure
  }
}

extension Scheduler {
  /// Returns the marks that have changed since the last call, in the order of their hostnames.
  package mutating func takeLaneMarks() -> [(hostname: String, marks: LaneMarks)] {
    defer { markedLanes = [] }
    return markedLanes.map { (lanes[Int($0)].hostname, lanes[Int($0)].marks) }
      .sorted { ExactText($0.0) < ExactText($1.0) }
  }

  /// Restores the marks that an earlier process stored for a hostname.
  package mutating func resume(_ hostname: String, _ marks: LaneMarks, now: Timestamp) {
    see(now)
    let number = Int(lane(of: hostname))
    lanes[number].resume(marks, now: seenAt)
    refresh(lane: number)
  }

  mutating func change(lane number: Int, _ body: (inout Lane) -> Void) {
    let before = lanes[number].marks
    body(&lanes[number])
    if lanes[number].marks != before { markedLanes.insert(Int32(truncatingIfNeeded: number)) }
  }
}
