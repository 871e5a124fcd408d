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
