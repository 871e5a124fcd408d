import DequeModule
package import FetchModel
package import FetchValues
import Synchronization

/// A run's request to the host, as the worker sent it. Its contents have not been checked.
package struct HostCall: Equatable, Sendable {
  /// The name of the call, such as `http.request`.
  package let name: String
  /// The arguments as an encoded list.
  package let arguments: [UInt8]

  /// The encoded items that the run has produced since the last call that took items, one item
  /// after the other. The value is empty if this call takes no items.
  package var items: [UInt8] = []

  /// The memory in bytes that the arguments and the items take when decoded.
  package internal(set) var weight = 0

  /// Whether the call is decoded on the thread for large results; see `LargeResults`.
  var isLarge: Bool { weight > LargeResults.weightMin }

  /// The name of the call that stores the items and the state that a run has produced so far.
  package static let checkpointName = "checkpoint"
  /// The name of the call by which a hook file returns its results for the previous items and
  /// requests the next items.
  package static let hookItemsName = "hook.items"

  /// The name of the call by which a failed hook file sets the seconds until the next attempt.
  package static let hookRetryName = "hook.retry"

  /// Whether the call takes the items that the run has produced since the last call that took
  /// items.
  var takesItems: Bool { Self.takesItems(name) }

  static func takesItems(_ name: String) -> Bool { name == checkpointName || name == hookItemsName }

  package init(name: String, arguments: [UInt8]) {
    self.name = name
    self.arguments = arguments
  }

  /// Returns the products that a `checkpoint` stores: the items, and the state, which is the
  /// call's only argument. Checks their shape and limits in the same way as for a finished run.
  package func products(_ limits: RunLimits) -> Result<WorkerProducts, Failure> {
    guard let state = try? values().first else {
      return .failure(Failure(.invalidValue, "checkpoint: the state cannot be read"))
    }
    var writer = ValueWriter()
    writer.write(state)
    do throws(ItemDecoder.Problem) {
      return .success(
        try ItemDecoder.products(RawProducts(items: items, state: writer.bytes), limits))
    } catch {
      switch error {
      case .failure(let failure): return .failure(failure)
      case .malformed(let error):
        return .failure(
          Failure(.invalidValue, "checkpoint: the items or the state cannot be read: \(error)"))
      }
    }
  }

  /// Returns the decoded arguments.
  package func values() throws(ValueError) -> [Value] {
    let read = try ValueReader.read(arguments) { reader throws(ValueError) in
      try reader.readValue()
    }
    guard let list = read.arrayValue else { throw .unexpected("table", wanted: "list") }
    return list
  }
}

/// A handler that answers the calls of runs.
package protocol HostCallHandler: Sendable {
  /// Answers one call. Each call of a run is answered only once, even if the run is repeated after
  /// a crash. If the run ends while it waits for the answer, this function's task is cancelled, and
  /// the answer is not used.
  func answer(_ call: HostCall) async -> HostCallAnswer
}

/// The result of a host call that the run receives.
package enum HostCallAnswer: Equatable, Sendable {
  /// The call returns these values in Lua. The bytes are an encoded list of the values.
  case returns([UInt8])
  /// The call raises a Lua error with this message at the caller's line.
  case raises(String)

  package static func values(_ values: [Value]) -> HostCallAnswer {
    var writer = ValueWriter()
    writer.beginArray(count: values.count)
    for value in values { writer.write(value) }
    return .returns(writer.bytes)
  }

  /// Returns the answer `nil, message, code, retryable` for a failure that the plugin may handle.
  /// The values in `more` follow.
  package static func failure(_ failure: Failure, _ more: Value...) -> HostCallAnswer {
    .values(
      [
        .null, .string(failure.message), .string(failure.code.rawValue), .bool(failure.retryable),
      ] + more)
  }
}

/// The queue of runs with large results. Only one large result at a time is decoded, compared and
/// stored, on a separate thread. The queue limits the memory for decoded results, and large results
/// do not delay other runs.
package final class LargeResults: Sendable {
  /// The decoded size in bytes above which a result is large. A typical run produces 20 items of 1
  /// KB.
  package static let weightMin = 4 << 20

  private struct State {
    var isTaken = false
    var line: Deque<CheckedContinuation<Void, Never>> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// A turn in the queue. The turn ends when the last reference to it is released. The freed memory
  /// of the result is then returned to the system. A run that already waits gets its turn after
  /// that.
  package final class Turn: Sendable {
    private let results: LargeResults

    fileprivate init(_ results: LargeResults) { self.results = results }

    deinit { results.leave() }
  }

  /// Waits for a turn for a result of the given size; returns nil immediately if the result is not
  /// large.
  package func turn(weight: Int) async -> Turn? {
    guard weight > Self.weightMin else { return nil }
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if !state.isTaken {
          state.isTaken = true
          return true
        }
        state.line.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
    return Turn(self)
  }

  private func leave() {
    let next = state.withLock { state in
      let next = state.line.popFirst()
      state.isTaken = next != nil
      return next
    }
    // This task runs after all other work that the thread still has for the finished result.
    Task(executorPreference: HostExecutor.large) {
      ProcessMemory.trim()
      next?.resume()
    }
  }
}
