import Synchronization

/// A limit on concurrent calls. Calls above the limit wait in a queue of limited length. If the
/// queue is full, a call is refused.
package final class CallGate: Sendable {
  private struct State {
    var runningCount = 0
    var waiting: [CheckedContinuation<Bool, Never>] = []
  }

  private let runningMax: Int
  private let waitingMax: Int
  private let retrySeconds: Int
  private let state = Mutex(State())

  /// - Parameter retrySeconds: the time after which a refused client may try again, in seconds.
  package init(runningMax: Int, waitingMax: Int, retrySeconds: Int = 1) {
    self.runningMax = runningMax
    self.waitingMax = waitingMax
    self.retrySeconds = retrySeconds
  }

  /// Runs `body` when its turn comes. Throws `busy` if the queue is full.
  ///
  /// - Parameter what: the name of the called part, for the message.
  package func run<Result>(
    _ what: String, _ body: () async throws(WebProblem) -> Result
  ) async throws(WebProblem) -> Result {
    let isIn = await withCheckedContinuation { enter($0) }
    guard isIn else {
      throw WebProblem(
        .busy, 503, "too many concurrent requests to \(what); try again later",
        headers: WebHeaders([("Retry-After", "\(retrySeconds)")]))
    }
    defer { leave() }
    return try await body()
  }

  /// Runs `body` if a further call may run now. Otherwise returns nil, without a wait.
  package func runIfFree<Result>(
    _ body: () async throws(WebProblem) -> Result
  ) async throws(WebProblem) -> Result? {
    let isFree = state.withLock { state -> Bool in
      guard state.runningCount < runningMax else { return false }
      state.runningCount += 1
      return true
    }
    guard isFree else { return nil }
    defer { leave() }
    return try await body()
  }

  private func enter(_ turn: CheckedContinuation<Bool, Never>) {
    let isIn = state.withLock { state -> Bool? in
      if state.runningCount < runningMax {
        state.runningCount += 1
        return true
      }
      guard state.waiting.count < waitingMax else { return false }
      state.waiting.append(turn)
      return nil
    }
    if let isIn { turn.resume(returning: isIn) }
  }

  /// Ends a call. The first waiting call, if any, takes its place.
  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      if state.waiting.isEmpty {
        state.runningCount -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume(returning: true)
  }
}
