import FetchModel
package import FetchValues

extension Scheduler {
  /// Sets whether the machine has a network, as the system reports it or as a run has shown. When
  /// the network is back, the starts of the waiting jobs are spread over up to ten minutes.
  package mutating func setOnline(_ isOnline: Bool, now: Timestamp) {
    see(now)
    if isOnline {
      guard network != .up else { return }
      network = .up
      outages.forget()
      releaseHeld(isSpread: true)
    } else if network == .up {
      network = .offline(since: now)
    } else if case .suspected(let since, _, _) = network {
      network = .offline(since: since)
    }
  }

  /// Sets the machine's power and load. Due jobs whose conditions are now met stop waiting for
  /// them.
  package mutating func setConditions(_ state: MachineState, now: Timestamp) {
    see(now)
    guard state != machine else { return }
    machine = state
    releaseHeld(isSpread: false)
  }

  /// Returns the condition that keeps a job from running; nil if all its conditions are met.
  func unmet(_ slot: Int) -> WaitReason? { storeObstacle(slot) ?? unmetBesidesStore(slot) }

  func unmetBesidesStore(_ slot: Int) -> WaitReason? {
    unmetByNetwork(slot) ?? unmetByMachine(slot)
  }

  func unmetByNetwork(_ slot: Int) -> WaitReason? {
    guard jobs[slot].needsNetwork, !cells[slot].isProbe else { return nil }
    switch network {
    case .up: return nil
    case .offline(let since): return .offline(since: since)
    case .suspected(let since, let probeAt, _):
      return .networkDown(since: since, probeAt: probeAt)
    }
  }

  /// The time since which this machine's network is down, as reported by the system or presumed;
  /// nil if the network is up.
  package var offlineSince: Timestamp? {
    switch network {
    case .up: nil
    case .offline(let since), .suspected(let since, _, _): since
    }
  }

  func unmetByMachine(_ slot: Int) -> WaitReason? {
    if jobs[slot].conditions.needsACPower, !machine.isOnACPower { return .acPower }
    if let most = jobs[slot].conditions.loadMax, machine.load >= most {
      return .load(now: machine.load, max: most)
    }
    return nil
  }

  mutating func releaseHeld(isSpread: Bool) {
    let free = held.filter { unmet(Int($0)) == nil }.sorted()
    let spread = min(Network.returnSpreadMax, Network.returnSpread * free.count)
    for index in free {
      let slot = Int(index)
      leave(slot)
      let delay =
        isSpread
        ? jitter.delay(
          job: jobs[slot].name, count: cells[slot].schedule.runCount, max: spread) : .zero
      var reason = cells[slot].schedule.dueReason
      if case .triggered = reason {} else { reason = .conditions }
      cells[slot].schedule.moveDue(to: seenAt + delay, reason)
      settle(slot)
    }
  }

  // MARK: Without a report

  /// Whether a failure is blamed on the machine's network instead of the source.
  func isBlamedOnNetwork(_ slot: Int, _ summary: RunSummary) -> Bool {
    guard jobs[slot].needsNetwork, summary.ending.isWithoutAnswer else { return false }
    if summary.ending == .failed(.offline) { return true }
    if case .suspected = network, cells[slot].isProbe {
      return probeCount <= Network.blamelessProbesMax
    }
    return network != .up
  }

  /// Updates the presumed state of the network after a run. The job's due time and place after the
  /// run must already be set.
  mutating func noteNetwork(_ slot: Int, _ summary: RunSummary, _ now: Timestamp) {
    guard jobs[slot].needsNetwork, summary.ending.saysOfNetwork else { return }
    if network != .up {
      if case .suspected = network, !summary.ending.isWithoutAnswer {
        setOnline(true, now: now)
      }
      return
    }
    let end = OutageWatch.End(
      job: Int32(truncatingIfNeeded: slot), lane: cells[slot].lane,
      isWithoutAnswer: summary.ending.isWithoutAnswer,
      isSudden: cells[slot].schedule.lastSuccessAt != nil
        && cells[slot].schedule.failureCount <= 1,
      at: now)
    let failed = outages.note(end) { [cells, jobs] most in
      Self.lanesAsked(cells, jobs, atMost: most)
    }
    guard failed != nil || summary.ending == .failed(.offline) else { return }
    let delay = Network.probeDelayMin
    probeCount = 0
    network = .suspected(
      since: failed?.last?.at ?? now, probeAt: now + delay, probeDelay: delay)
    for end in failed ?? [] { uncharge(Int(end.job), now) }
  }

  /// Returns the number of hostnames of jobs that need the network, without disabled and paused
  /// jobs. Counts up to `most`.
  private static func lanesAsked(
    _ cells: [JobCell], _ jobs: [ScheduledJob], atMost most: Int
  ) -> Int {
    var lanes: [Int32] = []
    for (slot, cell) in cells.enumerated() where cell.lane != 0 && !lanes.contains(cell.lane) {
      guard jobs[slot].needsNetwork, jobs[slot].isEnabled, cell.schedule.pausedAt == nil else {
        continue
      }
      lanes.append(cell.lane)
      if lanes.count == most { break }
    }
    return lanes.count
  }

  /// Subtracts from the job's failures one failure that the network caused, and makes the job wait
  /// for the network. Does nothing if the job is no longer in its back-off.
  private mutating func uncharge(_ slot: Int, _ now: Timestamp) {
    guard cells[slot].place == .scheduled, cells[slot].schedule.failureCount > 0,
      case .backOff = cells[slot].schedule.dueReason
    else { return }
    leave(slot)
    cells[slot].schedule.failureCount -= 1
    if cells[slot].schedule.failureCount == 0 { cells[slot].schedule.failingSince = nil }
    plan(slot, (now, .conditions))
    hold(slot)
  }

  /// Tests the network when a test is due, by a run of a job that waits only for the network. If
  /// there is no such job, the test is postponed. The intervals between tests grow up to ten
  /// minutes.
  mutating func probeNetwork(now: Timestamp) {
    guard case .suspected(let since, let probeAt, let delay) = network, probeAt <= now else {
      return
    }
    let probe = held.first {
      jobs[Int($0)].needsNetwork && unmetByMachine(Int($0)) == nil && storeObstacle(Int($0)) == nil
    }
    guard let slot = probe.map({ Int($0) }) else {
      network = .suspected(since: since, probeAt: now + delay, probeDelay: delay)
      return
    }
    let longer = min(delay * 2, Network.probeDelayMax)
    network = .suspected(since: since, probeAt: now + longer, probeDelay: longer)
    cells[slot].isProbe = true
    probeCount += 1
    leave(slot)
    enqueue(slot)
  }
}

extension RunEnding {
  /// Whether the result of the run is evidence about the network, either that it works or that it
  /// is down.
  fileprivate var saysOfNetwork: Bool {
    switch self {
    case .newData, .noData, .failed(.httpStatus): true
    default: isWithoutAnswer
    }
  }
}

/// The state of this machine's network, as reported by the system or presumed from failures.
enum Network: Hashable, Sendable {
  case up
  /// The system reported that the network is down.
  case offline(since: Timestamp)
  /// The network is presumed to be down, because recent connections failed. At intervals, one job
  /// tests the network again.
  case suspected(since: Timestamp, probeAt: Timestamp, probeDelay: Duration)

  static let probeDelayMin: Duration = .seconds(60)
  static let probeDelayMax: Duration = .seconds(600)
  /// The maximum number of failed tests for which the network is blamed. A further failed test
  /// counts as a failure of its job, because the job's source may be gone. A run that fails with
  /// `offline` never counts.
  static let blamelessProbesMax = 5
  /// The time that each waiting job adds to the period over which starts are spread when the
  /// network or the store is back. The period is at most ten minutes.
  static let returnSpread: Duration = .milliseconds(100)
  static let returnSpreadMax: Duration = .seconds(600)
}

/// The state of the machine's power and load.
package struct MachineState: Hashable, Sendable {
  package var isOnACPower = true
  /// The load average over the last minute.
  package var load = 0.0

  package init() {}
}

/// The detector of a broken network. It examines the last runs of jobs that need the network.
/// Failures of one hostname alone do not count as an outage.
///
/// On a machine that has lost its DNS, all jobs that need the network fail together. Without this
/// detector, each of these jobs would back off.
struct OutageWatch: Sendable {
  struct End: Sendable {
    var job: Int32
    var lane: Int32
    var isWithoutAnswer: Bool
    /// Whether the job has succeeded at least once, and has at most one counted failure since its
    /// last success. This run's failure counts too.
    var isSudden: Bool
    var at: Timestamp
  }

  private var ends: [End] = []

  static let endsMax = 16
  static let span: Duration = .seconds(120)
  /// The minimum number of consecutive runs without an answer within `span` that count as an
  /// outage, if they used at least `lanesMin` hostnames. Fewer runs may be enough: see
  /// `sinceAnswer`.
  static let failuresMin = 5
  /// The minimum number of different hostnames whose runs must end without an answer for an outage
  /// to be assumed. Two hostnames are enough if the jobs that may run use no others: see
  /// `sinceAnswer`.
  static let lanesMin = 3
  /// The maximum age of the failures that `sinceAnswer` considers.
  static let silenceSpan: Duration = .seconds(3600)

  /// Records the end of a run. If the network now counts as down, returns the runs that failed
  /// because of the network; otherwise returns nil. `lanesAsked` returns the number of hostnames
  /// that the jobs use now, counted up to `most`.
  mutating func note(_ end: End, lanesAsked: (_ most: Int) -> Int) -> [End]? {
    if ends.count == Self.endsMax { ends.removeFirst() }
    ends.append(end)
    guard end.isWithoutAnswer else { return nil }
    let recent = ends.reversed().prefix {
      $0.isWithoutAnswer && end.at - $0.at <= Self.span
    }
    let isMany =
      recent.count >= Self.failuresMin && Set(recent.map(\.lane)).count >= Self.lanesMin
    let failed = isMany ? Array(recent) : sinceAnswer(until: end.at, lanesAsked: lanesAsked)
    if failed != nil { ends.removeAll() }
    return failed
  }

  /// Returns the failures since the last answer if the network probably caused them: sudden
  /// failures at several hostnames, without an answer in between (see `isSudden`). Hostnames that
  /// have failed for a long time, or always, prove nothing.
  private func sinceAnswer(until now: Timestamp, lanesAsked: (Int) -> Int) -> [End]? {
    let silent = ends.reversed().prefix {
      $0.isWithoutAnswer && now - $0.at <= Self.silenceSpan
    }
    let lanes = Set(silent.filter(\.isSudden).map(\.lane))
    guard lanes.count > 1 else { return nil }
    let isAll = lanes.count >= Self.lanesMin || lanesAsked(lanes.count + 1) <= lanes.count
    return isAll ? Array(silent) : nil
  }

  mutating func forget() { ends.removeAll() }
}
