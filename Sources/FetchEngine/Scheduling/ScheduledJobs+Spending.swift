package import FetchHost
import FetchModel
package import FetchSchedule
package import FetchValues

/// The costs and cooldowns of requests outside of runs that are not saved yet.
struct UnsavedUsage: Sendable {
  var hasCharges = false
  /// The end of each cooldown, by origin.
  var coolDowns: [ExactText: Timestamp] = [:]

  var isEmpty: Bool { !hasCharges && coolDowns.isEmpty }
}

/// A finished job in a command that runs each job once. The job's transfers are still charged to
/// its budget.
struct RetiredJob: Sendable {
  let plugin: String
  var schedule: JobSchedule
  var quota: Budget
  /// Whether the job has unsaved changes.
  var isChanged = false
}

/// The charging of costs outside of runs. Transfers are charged to the budget of all jobs and to
/// the job's own budget. Deliveries of hook files are charged to the budget of all jobs, and their
/// CPU time also to the job's own budget.
extension ScheduledJobs.State {
  func opening(for cost: RunCost, of job: JobName, now: Timestamp) -> Timestamp? {
    let shared = scheduler.budget.opening(for: cost, now: now)
    guard let own = quota(of: job)?.opening(for: cost, now: now) else { return shared }
    return max(own, shared ?? own)
  }

  private func quota(of job: JobName) -> Budget? {
    if let number = scheduler.number(of: job) { return scheduler.quota(of: number) }
    return retired.isEmpty ? nil : retired[job]?.quota
  }

  /// Removes a job that has run. Keeps the job's own budget.
  mutating func retire(_ number: JobNumber) {
    let name = scheduler[number].name
    if let quota = scheduler.quota(of: number), let job = jobs[number] {
      retired[name] = RetiredJob(
        plugin: job.plugin.manifest.name, schedule: scheduler.schedule(of: number), quota: quota)
    }
    scheduler.remove(number)
  }

  mutating func charge(_ cost: RunCost, to job: JobName, now: Timestamp) {
    charge(cost, now: now)
    chargeQuota(of: job, cost, now: now)
  }

  mutating func charge(_ cost: RunCost, now: Timestamp) {
    unkept.hasCharges = true
    scheduler.charge(cost, now: now)
  }

  mutating func chargeQuota(of job: JobName, _ cost: RunCost, now: Timestamp) {
    if let number = scheduler.number(of: job) {
      guard scheduler.quota(of: number) != nil else { return }
      scheduler.chargeQuota(of: number, cost, now: now)
      changed.insert(number)
    } else if !retired.isEmpty {
      retired[job]?.quota.charge(cost, now: now)
      retired[job]?.isChanged = true
    }
  }
}

/// The limits that hooks share with runs: the budget of all jobs, and the cooldowns of hostnames.
extension ScheduledJobs: Cooldowns, SpendingGate {
  /// Returns the time from which a request outside of a run is allowed; nil if such a request is
  /// allowed now.
  package func opening(now: Timestamp) -> Timestamp? {
    look { $0.budget.opening(for: RunCost(requests: 1), now: now) }
  }

  /// Charges the costs of a hook's call. The CPU time of the call is also charged to the own budget
  /// of `job`.
  package func charge(_ cost: RunCost, cpuOf job: JobName, now: Timestamp) {
    withState { state in
      state.charge(cost, now: now)
      let own = RunCost(cpuMilliseconds: cost.cpuMilliseconds)
      state.chargeQuota(of: job, own, now: now)
    }
  }

  package func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
    look { $0.closedUntil(hostname, now: now) }
  }

  package func close(_ note: RetryAfterNote, now: Timestamp) {
    withState { state in
      let origin = ExactText(note.origin)
      state.unkept.coolDowns[origin] = max(note.until, state.unkept.coolDowns[origin] ?? note.until)
      state.scheduler.close(note.hostname, until: note.until, now: now)
    }
  }

  var hasUnkeptSpending: Bool { withState { !$0.unkept.isEmpty } }
}
