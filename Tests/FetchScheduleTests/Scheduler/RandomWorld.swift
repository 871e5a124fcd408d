import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

/// A scheduler with random events. Separate records detect every state that must never occur.
struct RandomWorld {
  var chance: SeededGenerator
  var rig: SchedulerRig
  var jobs: [JobNumber] = []
  var running: [JobNumber: Timestamp] = [:]
  var lastStart: [String: Timestamp] = [:]
  var closedUntil: [String: Timestamp] = [:]
  var requests: [Timestamp] = []
  var ownRequests: [JobNumber: [Timestamp]] = [:]
  var isOnline = true
  var isOnACPower = true
  var isCalm = false
  var log: [String] = []

  let connections: Int
  let runsAtOnce: Int
  static let requestsAnHour = 240
  /// The limit of requests for jobs with their own budget.
  static let ownRequestsAnHour = 5
  static let gap: Duration = .seconds(2)

  init(seed: UInt64) {
    chance = SeededGenerator(seed: seed)
    connections = 1 + chance.below(2)
    runsAtOnce = 2 + chance.below(6)
    var limits = BudgetLimits()
    limits.runsAtOnceMax = runsAtOnce
    limits.requests = [Rate(amount: Int64(Self.requestsAnHour), period: .hour)]
    rig = SchedulerRig(limits, gap: Self.gap, lanes: connections)
    for index in 0..<30 { addJob(index) }
  }

  private mutating func addJob(_ index: Int) {
    let interval: Interval =
      chance.isOnce(in: 8) ? .never : .every(.seconds(120 + chance.below(3600)))
    let host = chance.isOnce(in: 6) ? nil : "host\(chance.below(6)).example"
    let priority: Priority = [.low, .normal, .high][chance.below(3)]
    let catchUp = CatchUp.allCases[chance.below(4)]
    let needsPower = chance.isOnce(in: 10)
    let hasOwn = chance.isOnce(in: 4)
    let number = rig.add("job\(index)", interval, host: host) {
      $0.priority = priority
      $0.catchUp = catchUp
      $0.conditions.needsACPower = needsPower
      $0.jitter = .seconds(5)
      if hasOwn {
        $0.budget.requests = [Rate(amount: Int64(Self.ownRequestsAnHour), period: .hour)]
      }
    }
    jobs.append(number)
  }

  private func name(_ job: JobNumber) -> JobName { rig.scheduler[job].name }
  private func host(_ job: JobNumber) -> String? { rig.scheduler[job].hostname }
  private func runningCount(_ host: String) -> Int {
    running.keys.count { self.host($0) == host }
  }

  /// Moves to the next event and handles it.
  mutating func step() {
    let ends = running.values.min()
    let wake = rig.scheduler.nextWake
    var next = [ends, wake].compactMap { $0 }.min() ?? rig.now + .seconds(60)
    if !isCalm, chance.isOnce(in: 3) {
      next = min(next, rig.now + .milliseconds(chance.below(20_000)))
    }
    // The machine slept meanwhile.
    if !isCalm, chance.isOnce(in: 300) { next = next + .seconds(chance.below(20_000)) }
    rig.now = max(rig.now, next)
    endRuns()
    if !isCalm, chance.isOnce(in: 4) { disturb() }
    startRuns()
    checkReasons()
  }

  private mutating func endRuns() {
    for (job, end) in running.sorted(by: { ($0.value, name($0.key)) < ($1.value, name($1.key)) })
    where end <= rig.now {
      running[job] = nil
      var summary = RunSummary(ending(), cost: RunCost(requests: 1))
      if summary.ending == .failed(.httpStatus), let host = host(job) {
        summary.httpStatus = [403, 429, 500, 503][chance.below(4)]
        if chance.isOnce(in: 2) {
          let until = rig.now + .seconds(chance.below(2000))
          summary.retryAfter = until
          closedUntil[host] = max(closedUntil[host] ?? until, until)
        }
      }
      let verdict = rig.scheduler.ended(job, summary, now: rig.now)
      log.append("\(rig.now.milliseconds) end \(name(job)) \(verdict)")
    }
  }

  private mutating func ending() -> RunEnding {
    if isCalm { return .noData }
    switch chance.below(20) {
    case 0: return .failed(.httpStatus)
    case 1: return .failed(.connection)
    case 2: return .failed(.pluginError)
    case 3: return .failed(.cancelled)
    case 4: return .failed(.abandoned)
    case 5..<10: return .newData
    default: return .noData
    }
  }

  private mutating func disturb() {
    let job = jobs[chance.below(jobs.count)]
    switch chance.below(10) {
    case 0...4:
      let kind = TriggerKind.allCases[chance.below(4)]
      let answer = rig.scheduler.trigger(
        job, kind, skipsInterval: chance.isOnce(in: 2), now: rig.now)
      log.append("\(rig.now.milliseconds) \(kind) \(name(job)) \(answer)")
    case 5: rig.scheduler.pause(job, now: rig.now)
    case 6: rig.scheduler.resume(job, now: rig.now)
    case 7:
      isOnline.toggle()
      rig.scheduler.setOnline(isOnline, now: rig.now)
    case 8:
      isOnACPower.toggle()
      var state = MachineState()
      state.isOnACPower = isOnACPower
      rig.scheduler.setConditions(state, now: rig.now)
    default:
      let host = "host\(chance.below(6)).example"
      let until = rig.now + .seconds(chance.below(600))
      closedUntil[host] = max(closedUntil[host] ?? until, until)
      rig.scheduler.close(host, until: until, now: rig.now)
    }
  }

  private mutating func startRuns() {
    for start in rig.scheduler.due(now: rig.now) {
      log.append("\(rig.now.milliseconds) start \(start.name) \(start.reason)")
      #expect(running[start.job] == nil, "two runs of \(start.name)")
      if let host = host(start.job) {
        #expect(runningCount(host) < connections, "too many runs at \(host)")
        #expect(rig.now - (lastStart[host] ?? .init(seconds: 0)) >= Self.gap, "no gap at \(host)")
        #expect(rig.now >= closedUntil[host] ?? rig.now, "\(host) is closed")
        #expect(isOnline, "\(start.name) started offline")
        lastStart[host] = rig.now
      }
      let needsPower = rig.scheduler[start.job].conditions.needsACPower
      #expect(isOnACPower || !needsPower)
      #expect(rig.scheduler.schedule(of: start.job).pausedAt == nil)
      running[start.job] = rig.now + .milliseconds(200 + chance.below(30_000))
      #expect(running.count <= runsAtOnce)
      requests.append(rig.now)
      if rig.scheduler.quota(of: start.job) != nil {
        ownRequests[start.job, default: []].append(rig.now)
      }
    }
  }

  /// Checks that each waiting job has a true reason, and that the job's wait ends in time.
  private func checkReasons() {
    var earliest: Timestamp?
    for job in jobs where running[job] == nil {
      let reason = rig.why(job)
      if !isTrue(reason, job) { Issue.record("\(name(job)): \(reason)") }
      // The scheduler checks a full lane again when a run ends.
      let isFull = host(job).map { runningCount($0) == connections } ?? false
      if case .laneClosed = reason, isFull { continue }
      if let until = reason.until { earliest = min(earliest ?? until, until) }
    }
    guard let earliest else { return }
    let wake = rig.scheduler.nextWake ?? rig.now
    if wake > earliest || wake <= rig.now {
      Issue.record("\(rig.now): the next wake-up is \(wake), but a job may start at \(earliest)")
    }
  }

  private func isTrue(_ reason: WaitReason, _ job: JobNumber) -> Bool {
    let schedule = rig.scheduler.schedule(of: job)
    switch reason {
    case .notDue(let until, _), .backOff(_, let until), .pushLimited(let until):
      return until > rig.now && until == schedule.dueAt
    case .noInterval: return rig.scheduler[job].interval == .never
    case .laneBusy(let host, let count, let most):
      return count == runningCount(host) && count == most && most == connections
    case .laneGap(let host, _, let until):
      return until > rig.now && until == lastStart[host].map { $0 + Self.gap }
    case .laneClosed(_, let until, _): return until > rig.now
    case .budget(.runsAtOnce(let most)): return running.count == most && most == runsAtOnce
    case .budget(.spent(_, _, let until)): return until > rig.now
    case .ownBudget(.spent(_, let rate, let until)):
      return until > rig.now && rate.amount == Int64(Self.ownRequestsAnHour)
        && rig.scheduler.quota(of: job) != nil
    case .offline: return !isOnline
    case .networkDown(_, let probeAt): return probeAt > rig.now
    case .acPower: return !isOnACPower
    case .paused(let since, _): return schedule.pausedAt == since
    case .unlisted, .store, .load, .running, .allPaused, .disabled, .outsideRunTimes, .turn,
      .ownBudget:
      return false
    }
  }

  /// Ends the random faults. From now on nothing fails, and nothing is requested.
  mutating func calm() {
    isCalm = true
    isOnline = true
    isOnACPower = true
    rig.scheduler.setOnline(true, now: rig.now)
    rig.scheduler.setConditions(MachineState(), now: rig.now)
    for job in jobs { rig.scheduler.resume(job, now: rig.now) }
  }
}
