package import FetchHost
import FetchModel
package import FetchSchedule
package import FetchValues

/// The unsaved costs and cooldowns that belong to no run.
struct UnsavedUsage: Sendable {
  var hasCharges = false
  /// Cooldowns by origin.
  var coolDowns: [ExactText: Timestamp] = [:]

  var isEmpty: Bool { !hasCharges && coolDowns.isEmpty }
}

/// A finished job in a command that runs each job once: its transfers still have to be paid for.
struct RetiredJob: Sendable {
  let plugin: String
  var schedule: JobSchedule
  var quota: Budget
  /// Whether it has unsaved changes.
  var isChanged = false
}

/// The costs outside runs. Transfers are paid from the budget of all jobs and from the job's own.
/// Deliveries of hook files are paid from the budget of all jobs; their CPU time also from the
/// job's own.
extension ScheduledJobs.State {
  func opening(for cost: RunCost, of job: String, now: Timestamp) -> Timestamp? {
    let shared = scheduler.budget.opening(for: cost, now: now)
    guard let own = quota(of: job)?.opening(for: cost, now: now) else { return shared }
    return max(own, shared ?? own)
  }

  private func quota(of job: String) -> Budget? {
    if let number = scheduler.number(of: job) { return scheduler.quota(of: number) }
    return retired.isEmpty ? nil : retired[ExactText(job)]?.quota
  }

  /// Forgets a job that has run, except for its budget.
  mutating func retire(_ number: JobNumber) {
    let name = scheduler[number].name
    if let quota = scheduler.quota(of: number), let job = jobs[number] {
      retired[ExactText(name)] = RetiredJob(
        plugin: job.plugin.manifest.name, schedule: scheduler.schedule(of: number), quota: quota)
    }
    scheduler.remove(number)
  }

  mutating func charge(_ cost: RunCost, to job: String, now: Timestamp) {
    charge(cost, now: now)
    chargeQuota(of: job, cost, now: now)
  }

  mutating func charge(_ cost: RunCost, now: Timestamp) {
    unkept.hasCharges = true
    scheduler.charge(cost, now: now)
  }

  mutating func chargeQuota(of job: String, _ cost: RunCost, now: Timestamp) {
    if let number = scheduler.number(of: job) {
      guard scheduler.quota(of: number) != nil else { return }
      scheduler.chargeQuota(of: number, cost, now: now)
      changed.insert(number)
    } else if !retired.isEmpty {
      retired[ExactText(job)]?.quota.charge(cost, now: now)
      retired[ExactText(job)]?.isChanged = true
    }
  }
}

/// The limits that hooks share with runs: the budget of all jobs, and cooldowns of hostnames.
extension ScheduledJobs: Cooldowns, SpendingGate {
  /// Returns when a request outside a run is allowed; nil: now.
  package func opening(now: Timestamp) -> Timestamp? {
    look { $0.budget.opening(for: RunCost(requests: 1), now: now) }
  }

  /// Charges the costs of a hook's call; its CPU time also counts for that job.
  package func charge(_ cost: RunCost, cpuOf job: String, now: Timestamp) {
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
