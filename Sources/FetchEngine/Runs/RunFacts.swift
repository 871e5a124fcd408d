package import FetchHost
package import FetchModel

/// What a run showed of its source, for the job's next time.
package struct RunFacts: Sendable {
  /// One for each answer, in the order they came.
  package var answers: [HTTPFact] = []
  package var retryAfters: [RetryAfterNote] = []
  /// Those of the new items that have a date, as far as it can be read.
  package var newTimes: [Timestamp] = []
  package var newCount = 0
  /// How many items the source showed.
  package var shownCount = 0
}

/// What a run's job is to remember, stored with the run.
package struct RunSettlement: Sendable {
  package var nextDueAt: Timestamp?
  /// See `RunCommit.schedule`.
  package var schedule: [UInt8]?
  /// See `RunCommit.ledger`.
  package var ledger: [String: [UInt8]]

  package init(
    nextDueAt: Timestamp? = nil, schedule: [UInt8]? = nil, ledger: [String: [UInt8]] = [:]
  ) {
    self.nextDueAt = nextDueAt
    self.schedule = schedule
    self.ledger = ledger
  }
}

/// Asked when a run's outcome is decided and before it is stored.
package typealias RunSettling = @Sendable (RunRecord, RunFacts) async -> RunSettlement
