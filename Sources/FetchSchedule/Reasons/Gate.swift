import FetchModel
package import FetchValues

/// A condition that each run must meet, with the reason why the condition is not met now.
package struct Gate: Hashable, Sendable {
  /// The conditions in the order in which the scheduler checks them.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The job is enabled in the config.
    case enabled
    /// Neither the job nor all jobs are paused.
    case pause
    /// The job is due, because of its interval, its back-off or a trigger.
    case due
    /// No hint of the source, such as Retry-After or a feed's ttl, requires a later time.
    case hints
    /// The time is within the job's run times.
    case runTimes
    /// The store can be written.
    case store
    /// The machine has a network.
    case network
    /// The machine's power and load meet the job's conditions.
    case conditions
    /// The job's own budget allows a run.
    case ownBudget
    /// The lane of the job's hostname allows another run.
    case lane
    /// The budget of all jobs allows a run.
    case budget
  }

  package var kind: Kind
  /// The reason why the gate stops the run now; nil if the gate is open.
  package var obstacle: WaitReason?

  package init(_ kind: Kind, _ obstacle: WaitReason?) {
    self.kind = kind
    self.obstacle = obstacle
  }

  package var isOpen: Bool { obstacle == nil }

  /// Returns the sentence about a closed gate, without a full stop, as in the output of `explain`;
  /// nil if the gate is open.
  package func sentence(now: Timestamp) -> String? { obstacle?.sentence(now: now) }
}
