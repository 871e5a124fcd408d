package import FetchModel

/// The way in which a run ended, as far as the job's next time depends on it.
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

  /// Whether no server answered: the cause may be the machine instead of the source.
  var isWithoutAnswer: Bool {
    switch self {
    case .failed(.offline), .failed(.nameResolution), .failed(.connection), .failed(.httpTimeout):
      true
    default: false
    }
  }
}
