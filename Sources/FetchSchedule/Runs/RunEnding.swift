package import FetchModel

/// How a run ended, for its job's next time.
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

  /// No answer came from anywhere: it may be the machine, not the source.
  var isWithoutAnswer: Bool {
    switch self {
    case .failed(.offline), .failed(.nameResolution), .failed(.connection), .failed(.httpTimeout):
      true
    default: false
    }
  }
}
