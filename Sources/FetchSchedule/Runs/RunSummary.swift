package import FetchModel
package import FetchValues

/// The facts about a finished run that the scheduler needs.
package struct RunSummary: Hashable, Sendable {
  package var ending: RunEnding
  package var cost: RunCost
  /// The latest time in a Retry-After from the hostname of the job's lane.
  package var retryAfter: Timestamp?
  /// The time until which another hostname is closed, which kept the run from continuing.
  package var notBefore: Timestamp?
  /// The HTTP status of the answer that made the run fail; nil for other failures.
  package var httpStatus: Int?
  /// The identity of the source. The bytes are different for different sources, and empty if the
  /// source is unknown.
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

/// The ways in which a run can end, as far as they affect the job's next due time.
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

  /// Whether no server answered, so that the cause may be the machine instead of the source.
  var isWithoutAnswer: Bool {
    switch self {
    case .failed(.offline), .failed(.nameResolution), .failed(.connection), .failed(.httpTimeout):
      true
    default: false
    }
  }
}

/// The next due time that the learned schedule chose for a job with `interval: adaptive`.
package struct PlannedTime: Hashable, Sendable {
  package var dueAt: Timestamp
  /// The hint that moved the due time; nil if no hint moved it.
  package var hint: SourceHint?
  /// The due time before the hint moved it; nil if no hint moved it.
  package var chosenAt: Timestamp?
  /// The new encoded state of the source, for `JobSchedule.adaptive`.
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

/// The scheduler's decision about a job after a run: the job's next due time and the notices for a
/// person.
package struct RunVerdict: Hashable, Sendable {
  /// The next due time; nil if the job runs only when triggered or after a person's `resume`.
  package var dueAt: Timestamp?
  package var dueReason: DueReason
  package var notices: [Notice] = []

  package init(dueAt: Timestamp?, dueReason: DueReason) {
    self.dueAt = dueAt
    self.dueReason = dueReason
  }
}
