package import FetchModel
package import FetchValues

/// The facts of a finished run that the scheduler uses.
package struct RunSummary: Hashable, Sendable {
  package var ending: RunEnding
  package var cost: RunCost
  /// The latest Retry-After from the hostname of the job's lane.
  package var retryAfter: Timestamp?
  /// The time until which another hostname is left alone, so that the run could not continue.
  package var notBefore: Timestamp?
  /// The status of the answer that made the run fail.
  package var httpStatus: Int?
  /// The identity of the source, as bytes that differ between sources; empty if unknown.
  package var source: [UInt8] = []
  package var hints = SourceHints()

  package init(_ ending: RunEnding, cost: RunCost = RunCost(requests: 1)) {
    self.ending = ending
    self.cost = cost
  }

  package init(_ record: RunRecord) {
    self.init(RunEnding(record.outcome), cost: RunCost(record))
  }

  package var isSuccess: Bool { ending == .newData || ending == .noData }
}

/// The way in which a run ended, as far as the job's next time depends on it.
package enum RunEnding: Hashable, Sendable {
  case newData
  case noData
  case failed(FailureCode)

  package init(_ outcome: Outcome) {
    switch outcome {
    case .newData: self = .newData
    case .noData: self = .noData
    case .failed(let failure): self = .failed(failure.code)
    }
  }

  /// Whether no server answered: the cause may be the machine instead of the source.
  var isWithoutAnswer: Bool {
    switch self {
    case .failed(.offline), .failed(.nameResolution), .failed(.connection), .failed(.httpTimeout):
      true
    default: false
    }
  }
}

/// The learned schedule's answer for a job with `interval: adaptive`.
package struct PlannedTime: Hashable, Sendable {
  package var dueAt: Timestamp
  /// The hint that moved the time.
  package var hint: SourceHint?
  /// The time before the hint moved it; nil if no hint did.
  package var chosenAt: Timestamp?
  /// The new value of `JobSchedule.adaptive`.
  package var state: [UInt8]

  package init(
    dueAt: Timestamp, hint: SourceHint? = nil, chosenAt: Timestamp? = nil,
    state: [UInt8] = []
  ) {
    self.dueAt = dueAt
    self.hint = hint
    self.chosenAt = chosenAt
    self.state = state
  }
}

/// The consequences of a run's end.
package struct RunVerdict: Hashable, Sendable {
  /// The next due time; nil if only a trigger or a person's `resume` makes the job run.
  package var dueAt: Timestamp?
  package var dueReason: DueReason
  package var notices: [Notice] = []

  package init(dueAt: Timestamp?, dueReason: DueReason) {
    self.dueAt = dueAt
    self.dueReason = dueReason
  }
}
