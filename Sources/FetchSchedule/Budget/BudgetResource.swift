import FetchValues

/// What the budget meters over time.
package enum BudgetResource: String, Sendable, CaseIterable {
  case requests
  case bytes
  case cpu
  case runTime

  /// In sentences.
  package var noun: String {
    switch self {
    case .requests: "requests"
    case .bytes: "bytes"
    case .cpu: "CPU time"
    case .runTime: "run time"
    }
  }

  /// An amount as people write it: `600`, `500 MB`, `10m`.
  package func text(_ amount: Double) -> String {
    let whole = Int64(max(-1e15, min(amount.rounded(), 1e15)))
    switch self {
    case .requests: return "\(whole)"
    case .bytes: return ByteSize(bytes: whole).description
    case .cpu, .runTime: return Duration.milliseconds(whole).shortText
    }
  }
}
