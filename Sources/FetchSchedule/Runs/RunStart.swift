package import FetchModel
package import FetchValues

/// A run that the caller must start now.
package struct RunStart: Hashable, Sendable {
  package var job: JobNumber
  package var name: JobName
  /// The number of the run among the runs of its job, counted from 1.
  package var number: Int64
  package var trigger: RunTrigger
  package var reason: DueReason
  /// The run's due time.
  package var dueAt: Timestamp
  /// The cost that is reserved in the budget for the run until `ended` is called.
  package var reserved: RunCost
}

/// The result of a trigger.
package enum TriggerAnswer: Hashable, Sendable {
  /// The job is due now and starts when its lane and the budget allow it.
  case due
  case waits(WaitReason)
  case skipped(SkipReason)
}

/// A due time or trigger that starts no run of its own.
package struct Skip: Hashable, Sendable {
  package var job: JobNumber
  package var at: Timestamp
  package var reason: SkipReason

  package init(job: JobNumber, at: Timestamp, reason: SkipReason) {
    self.job = job
    self.at = at
    self.reason = reason
  }
}
