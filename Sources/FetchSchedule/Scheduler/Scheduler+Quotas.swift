import FetchModel
package import FetchValues

/// The budgets of single jobs, in addition to the budget of all. A job that has spent its own steps
/// aside until enough is available, and blocks no other job of its lane.
extension Scheduler {
  /// Returns a job's own budget and its state; nil if it has none.
  package func quota(of job: JobNumber) -> Budget? { quotas[job.index] }

  /// Applies the configured budget of the job, with the amounts that its previous one had left.
  mutating func renewQuota(_ slot: Int) {
    let index = Int32(truncatingIfNeeded: slot)
    let limits = jobs[slot].budget
    guard limits != BudgetLimits() else {
      quotas[index] = nil
      cells[slot].schedule.quota = []
      return
    }
    guard quotas[index]?.limits != limits else { return }
    var quota = Budget(limits, now: seenAt)
    cells[slot].schedule.quota.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      try? quota.restore(from: &reader)
    }
    if cells[slot].place == .running { quota.reserve(cells[slot].schedule.estimate, now: seenAt) }
    quotas[index] = quota
  }

  mutating func reserveQuota(_ slot: Int, _ cost: RunCost, _ now: Timestamp) {
    if quotas.isEmpty { return }
    quotas[Int32(truncatingIfNeeded: slot)]?.reserve(cost, now: now)
  }

  mutating func settleQuota(
    _ slot: Int, _ reserved: RunCost, actual: RunCost, _ now: Timestamp
  ) {
    let index = Int32(truncatingIfNeeded: slot)
    guard !quotas.isEmpty, quotas[index] != nil else { return }
    quotas[index]?.settle(reserved, actual: actual, now: now)
    noteQuota(slot)
  }

  /// Charges a cost without a run to the job's own budget; see `Budget.charge`.
  package mutating func chargeQuota(of job: JobNumber, _ cost: RunCost, now: Timestamp) {
    guard !quotas.isEmpty, quotas[job.index] != nil else { return }
    quotas[job.index]?.charge(cost, now: now)
    noteQuota(job.slot)
  }

  private mutating func noteQuota(_ slot: Int) {
    var writer = ValueWriter()
    quotas[Int32(truncatingIfNeeded: slot)]?.encode(into: &writer)
    cells[slot].schedule.quota = writer.bytes
  }

  /// Returns the exhausted limit of the job's own budget; nil if it may run.
  func quotaObstacle(_ slot: Int, _ now: Timestamp) -> BudgetObstacle? {
    if quotas.isEmpty { return nil }
    return quotas[Int32(truncatingIfNeeded: slot)]?
      .obstacle(to: cells[slot].schedule.estimate, now: now)
  }

  /// Puts a job that is in no queue aside until then.
  mutating func limit(_ slot: Int, until: Timestamp) {
    cells[slot].place = .limited
    limited.push(Int32(truncatingIfNeeded: slot), key: until.milliseconds, &positions)
  }
}
