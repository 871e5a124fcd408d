import FetchModel
package import FetchValues

extension Scheduler {
  /// Sets the network state as the system reports it. When it is back, the
  /// waiting jobs start spread over a while.
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

  /// Sets power and load; jobs whose conditions are now met become due.
  package mutating func setConditions(_ state: MachineState, now: Timestamp) {
    see(now)
    guard state != machine else { return }
    machine = state
    releaseHeld(isSpread: false)
  }

  /// Returns the condition that keeps a job from running; nil if all are met.
  func unmet(_ slot: Int) -> WaitReason? { storeObstacle(slot) ?? unmetBesidesStore(slot) }

  func unmetBesidesStore(_ slot: Int) -> WaitReason? {
    if network != .up, jobs[slot].needsNetwork, !cells[slot].isProbe {
      switch network {
      case .up: break
      case .offline(let since): return .offline(since: since)
      case .suspected(let since, let probeAt, _):
        return .networkDown(since: since, probeAt: probeAt)
      }
    }
    return unmetByMachine(slot)
  }

  private func unmetByMachine(_ slot: Int) -> WaitReason? {
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

  /// Whether a failure proves nothing about the source, because the machine has no network.
  func isBlamedOnNetwork(_ slot: Int, _ summary: RunSummary) -> Bool {
    guard jobs[slot].needsNetwork, summary.ending.isWithoutAnswer else { return false }
    if summary.ending == .failed(.offline) { return true }
    if case .suspected = network, cells[slot].isProbe {
      return probeCount <= Network.blamelessProbesMax
    }
    return network != .up
  }

  /// Learns from a run whose job is already back in its place.
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

  /// Returns the number of remote lanes among the jobs that may run, counted up to `most`.
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

  /// Undoes a failure that the network caused, and makes the job wait for the network.
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

  /// Lets one of the jobs that wait only for the network probe it, at growing intervals. If there
  /// is none, it looks again later.
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
  /// Whether the result says anything about the network.
  fileprivate var saysOfNetwork: Bool {
    switch self {
    case .newData, .noData, .failed(.httpStatus): true
    default: isWithoutAnswer
    }
  }
}

/// The presumed state of this machine's network.
enum Network: Hashable, Sendable {
  case up
  /// The system reported it.
  case offline(since: Timestamp)
  /// All recent connections failed: one job at a time tries again.
  case suspected(since: Timestamp, probeAt: Timestamp, probeDelay: Duration)

  static let probeDelayMin: Duration = .seconds(60)
  static let probeDelayMax: Duration = .seconds(600)
  /// The number of failed probes that are blamed on the network. After that the sources may be gone
  /// as well, so a failed probe counts as the job's failure.
  static let blamelessProbesMax = 5
  /// The time that each waiting job adds to the spread after the network's return, up to ten
  /// minutes.
  static let returnSpread: Duration = .milliseconds(100)
  static let returnSpreadMax: Duration = .seconds(600)
}

/// The state of the machine that conditions are compared with, besides the network.
package struct MachineState: Hashable, Sendable {
  package var isOnACPower = true
  /// The load average of the last minute.
  package var load = 0.0

  package init() {}
}
