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
