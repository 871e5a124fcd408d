/// The outcome of a run. The host decides the outcome. A plugin cannot set it.
package enum Outcome: Equatable, Sendable {
  case newData(ChangeCounts)
  case noData(NoDataReason)
  case failed(Failure)
}

extension Outcome {
  /// The outcome's name in JSON and on the terminal.
  package var word: String {
    switch self {
    case .newData: "newData"
    case .noData: "noData"
    case .failed: "failed"
    }
  }
}

/// The rule that decides the outcome of a run that did not fail.
package enum OutcomeRule {
  /// Returns `newData` if items were added, updated or removed, otherwise `noData` with a reason.
  /// The reason is `sameItems` for a result with items. For a result without items, it is
  /// `notModified` if every answer was a 304. It is `sameBody` if every answer was a 304 or had the
  /// previous body. It is `empty` in all other cases, and for a run without answers.
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

  /// Whether every answer is `full`. After any other answer, the plugin may return fewer items than
  /// the source has.
  package static func isWhole(answers: [AnswerFact]) -> Bool {
    answers.allSatisfy { $0 == .full }
  }
}

/// The kind of a run's outcome, without its details.
package enum OutcomeKind: String, Hashable, Sendable, CaseIterable {
  case newData
  case noData
  case failed
}

extension Outcome {
  package var kind: OutcomeKind {
    switch self {
    case .newData: .newData
    case .noData: .noData
    case .failed: .failed
    }
  }
}

/// The reason why a run has no news; see `OutcomeRule`.
package enum NoDataReason: String, Sendable, CaseIterable {
  /// The result has no items, and every answer was 304 Not Modified.
  case notModified
  /// The result has no items. Every answer was a 304 or had the previous body byte for byte, and at
  /// least one was not a 304.
  case sameBody
  /// The result has items, but none is news. The items are known and unchanged, or the run has
  /// stored them as `baseline`.
  case sameItems
  /// The result has no items, and neither `notModified` nor `sameBody` applies.
  case empty
}

/// The evidence that one HTTP answer gives about news, independent of the plugin's result.
package enum AnswerFact: Equatable, Sendable {
  /// A 304 answer (Not Modified).
  case notModified
  /// An answer whose body equals the previous body byte for byte. Bodies are compared only if
  /// `HTTPRequest.conditional` is true.
  case sameBody
  /// A request without an answer, or an answer whose status is neither 2xx nor 304.
  case error
  /// An answer that no other case describes. It may contain news.
  case full
}
