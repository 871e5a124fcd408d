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
