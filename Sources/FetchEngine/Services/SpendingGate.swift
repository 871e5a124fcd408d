import FetchModel
package import FetchSchedule
package import FetchValues

/// The budget that hook files share with the jobs of a config.
package protocol SpendingGate: Sendable {
  /// When something may be spent; nil: now.
  func opening(now: Timestamp) -> Timestamp?
  /// Takes a cost from the budget of all jobs, and its CPU time also from the job's own.
  func charge(_ cost: RunCost, cpuOf job: String, now: Timestamp)
}
