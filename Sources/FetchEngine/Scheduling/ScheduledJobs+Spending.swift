import FetchModel

/// A job that has run, in a command that runs each once: its transfers are still to be paid for.
struct RetiredJob: Sendable {
  let plugin: String
  var schedule: JobSchedule
  var quota: Budget
  /// Since it was last stored.
  var isChanged = false
}

/// What is spent without a run, by transfers: from the budget of all, and from the job's own.
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

  /// Forgets a job that has run, but for what it may spend.
  mutating func retire(_ number: JobNumber) {
    let name = scheduler[number].name
    if let quota = scheduler.quota(of: number), let job = jobs[number] {
      retired[ExactText(name)] = RetiredJob(
        plugin: job.plugin.manifest.name, schedule: scheduler.schedule(of: number), quota: quota)
    }
    scheduler.remove(number)
  }

  mutating func charge(_ cost: RunCost, to job: String, now: Timestamp) {
    scheduler.charge(cost, now: now)
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
