/// What a run came to. Decided by the host from the diff, never taken on the plugin's word.
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

/// Decides what a run that did not fail came to.
package enum OutcomeRule {
  /// `newData` when the diff found a change. Else the first gate that closed: every answer said
  /// "not modified"; every answer was that or last time's body; there were items, all known; there
  /// were none.
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

  /// Whether a result is the whole set, so that an item's absence means its removal: only when
  /// every answer was looked at in full. A 304 shows nothing, and neither does an error, so nothing
  /// is absent from it.
  package static func isWhole(answers: [AnswerFact]) -> Bool {
    answers.allSatisfy { $0 == .full }
  }
}
