import FetchValues

extension Failure {
  /// Returns the failure of a run that reached a limit. The message names the limit and says what
  /// to do.
  package static func limit(_ code: FailureCode, _ limits: RunLimits) -> Failure {
    let (excess, name, advice) = texts(code, limits)
    return Failure(code, "\(excess) (limit \(name)); \(advice)", retryable: code == .timeLimit)
  }

  /// Returns the failure of a run whose window ended after the run had waited as long as
  /// `limits.waiting` allows.
  package static func waitedTooLong(_ limits: RunLimits) -> Failure {
    Failure(
      .timeLimit,
      "the run waited \(limits.waiting.inWords) for its turn (limit waiting), and the rest"
        + " of the run took longer than its window of \(limits.window.inWords) (limit window);"
        + " send fewer requests, raise a limit, or shorten the gap of the lane",
      retryable: true)
  }

  /// Returns the failure of a run whose decoded items and state need too much memory.
  package static func weightLimit(_ limits: RunLimits) -> Failure {
    Failure(
      .resultLimit,
      "the run's items and state take more than \(bytes(limits.resultWeight)) of memory when they "
        + "are read (twice the limit resultBytes); return less data or raise the limit")
  }

  /// Returns the failure with the message for a file that reached a limit while a worker loaded the
  /// file. No setting raises the limits for loading. A failure with a code other than `cpuLimit`,
  /// `memoryLimit` and `logLimit` is unchanged.
  package func whileLoading(_ limits: RunLimits) -> Failure {
    let excess: String
    switch code {
    case .cpuLimit: excess = "takes more than \(limits.cpu.inWords) of CPU time"
    case .memoryLimit: excess = "needs more than \(Self.bytes(limits.memoryBytes)) of memory"
    case .logLimit: excess = "logs more than \(Self.bytes(limits.logBytes))"
    default: return self
    }
    var failure = self
    failure.message = "loading the file \(excess); do this work in fetch or in a hook's function"
    return failure
  }

  /// The failure of a run that passed too many values to one host call.
  package static let argumentLimit = Failure(
    .resultLimit,
    "the arguments of a host call take more than "
      + "\(bytes(RunLimits.argumentExcessBytesMax)) of memory in addition to their encoded size; "
      + "pass fewer values")

  private static func texts(
    _ code: FailureCode, _ limits: RunLimits
  ) -> (excess: String, name: String, advice: String) {
    let less = "make the Lua code do less or raise the limit"
    return switch code {
    case .timeLimit:
      ("the run took longer than its window of \(limits.window.inWords)", "window", less)
    case .cpuLimit:
      ("the run used more than its \(limits.cpu.inWords) of CPU time", "cpu", less)
    case .memoryLimit:
      ("the run needed more than its \(bytes(limits.memoryBytes)) of memory", "memoryBytes", less)
    case .hostCallLimit:
      ("the run made more than \(limits.hostCalls) host calls", "hostCalls", less)
    case .itemLimit:
      (
        "the run produced more than \(limits.items) items", "items",
        "produce fewer or raise the limit"
      )
    case .resultLimit:
      (
        "the run's items and state have more than \(bytes(limits.resultBytes))", "resultBytes",
        "return less data or raise the limit"
      )
    case .logLimit:
      (
        "the run logged more than \(bytes(limits.logBytes))", "logBytes",
        "log less or raise the limit"
      )
    case .nestingLimit:
      (
        "a value has more than \(limits.nesting) levels of nested tables", "nesting",
        "nest fewer tables or raise the limit"
      )
    default: ("the run reached a limit", code.rawValue, less)
    }
  }

  private static func bytes(_ count: Int) -> String {
    if count >= 1 << 20, count % (1 << 20) == 0 { return "\(count >> 20) MiB" }
    if count >= 1 << 10, count % (1 << 10) == 0 { return "\(count >> 10) KiB" }
    return "\(count) bytes"
  }
}

extension Duration {
  /// The duration with its unit, for messages: `5 s`, `250 ms`.
  package var inWords: String {
    let milliseconds = wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
