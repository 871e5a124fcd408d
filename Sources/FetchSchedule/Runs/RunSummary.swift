package import FetchModel
package import FetchValues

/// What the scheduler must know of a run that ended.
package struct RunSummary: Hashable, Sendable {
  package var ending: RunEnding
  package var cost: RunCost
  /// The latest of those the hostname of the job's lane has sent.
  package var retryAfter: Timestamp?
  /// Another hostname is left alone until then, so that the run could not be made.
  package var notBefore: Timestamp?
  /// Of the answer that made the run fail.
  package var httpStatus: Int?
  /// What was asked of whom, as bytes that tell one source from another; empty where that is not
  /// known.
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
