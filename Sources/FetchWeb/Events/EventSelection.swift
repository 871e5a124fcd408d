package import FetchValues

/// The events that a client wants and may see.
package struct EventSelection: Sendable {
  /// The kinds of events that clients can select. All clients receive `reset` and `bye`.
  package enum Kind: String, CaseIterable, Sendable {
    case item, run, state
  }

  /// The only job whose events the client wants; nil for all jobs.
  package var job: JobName?
  package var kinds: Set<Kind>
  private let sees: @Sendable (JobName) -> Bool
  private let seesAll: Bool

  package init(
    job: JobName? = nil, kinds: Set<Kind> = Set(Kind.allCases), caller: Caller = .local
  ) {
    self.job = job
    self.kinds = kinds.isEmpty ? Set(Kind.allCases) : kinds
    sees = { caller.sees($0) }
    seesAll = caller.seesAllJobs
  }

  /// Whether the selection contains events of the given kind about the job.
  package func contains(_ kind: Kind, of job: JobName) -> Bool {
    kinds.contains(kind) && (self.job.map { $0 == job } ?? true) && sees(job)
  }

  /// Whether the selection contains all items and runs.
  var isWholeLog: Bool { job == nil && seesAll && kinds.isSuperset(of: [.item, .run]) }

  var hasLog: Bool { kinds.contains(.item) || kinds.contains(.run) }
}
