/// The outcome of a run. The host decides it from the diff, never from the plugin's statement.
package enum Outcome: Equatable, Sendable {
  case newData(ChangeCounts)
  case noData(NoDataReason)
  case failed(Failure)
}

extension Outcome {
  /// The word in JSON and on the terminal.
  package var word: String {
    switch self {
    case .newData: "newData"
    case .noData: "noData"
    case .failed: "failed"
    }
  }
}

/// The rule for the outcome of a run that did not fail.
package enum OutcomeRule {
  /// Returns `newData` if the diff found a change. Otherwise the first matching gate decides: every
  /// answer was "not modified"; every answer was that or the previous body; all items were known;
  /// there were none.
  package static func decide(
    changes: ChangeCounts, itemCount: Int, answers: [AnswerFact]
  ) -> Outcome {
    if changes.total > 0 { return .newData(changes) }
    if itemCount == 0, !answers.isEmpty {
      if answers.allSatisfy({ $0 == .notModified }) { return .noData(.notModified) }
      if answers.allSatisfy({ $0 == .notModified || $0 == .sameBody }) { return .noData(.sameBody) }
    }
    return .noData(itemCount == 0 ? .empty : .sameItems)
  }

  /// Whether a result is the whole set, so that missing items are removed: only if every answer was
  /// read in full. A 304 or an error shows no items, so it proves no absence.
  package static func isWhole(answers: [AnswerFact]) -> Bool {
    answers.allSatisfy { $0 == .full }
  }
}
