import FetchHost
import FetchModel
import FetchValues
import Synchronization

/// The runs of a process by job: one run of a job at a time, the others wait in the order of their
/// arrival. No run outlives its window and its limit `waiting`, so no wait is long.
final class JobTurns: Sendable {
  private struct Run {
    let id: UInt64
    let since: Timestamp
    /// Whether the job's schedule does not include the run, as with a call of `on_transfer`.
    let isAside: Bool
    /// The continuation of a run that waits for its turn.
    var continuation: CheckedContinuation<Void, Never>?
    /// The reasons why its requests and its worker wait; nil until it may make requests.
    var waits: TurnWaits?
  }

  private struct State {
    var lastID: UInt64 = 0
    /// The runs by job; the first one is under way, the others wait.
    var runs: [ExactText: [Run]] = [:]
  }

  private let state = Mutex(State())

  /// Returns when no other run of the job is under way; call `leave` with the id afterwards.
  func enter(_ job: String, isAside: Bool, now: Timestamp) async -> UInt64 {
    let job = ExactText(job)
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        let isFree = state.runs[job] == nil
        let run = Run(
          id: id, since: now, isAside: isAside, continuation: isFree ? nil : continuation)
        state.runs[job, default: []].append(run)
        return isFree
      }
      if isFree { continuation.resume() }
    }
    return id
  }

  /// Sets the waits of a run that is under way from now on.
  func begin(_ job: String, _ id: UInt64, _ waits: TurnWaits) {
    state.withLock { state in
      guard let place = state.runs[ExactText(job)]?.firstIndex(where: { $0.id == id }) else {
        return
      }
      state.runs[ExactText(job)]?[place].waits = waits
    }
  }

  func leave(_ job: String, _ id: UInt64) {
    let job = ExactText(job)
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.runs[job]?.removeAll { $0.id == id }
      guard state.runs[job]?.isEmpty == false else {
        state.runs[job] = nil
        return nil
      }
      return state.runs[job]?[0].continuation.take()
    }
    next?.resume()
  }

  /// Returns the wait of a job's run; if there are several, of the one that the schedule started.
  /// Returns nil if none is under way, and if it computes.
  func wait(of job: String, now: Timestamp) -> (wait: RunWait, since: Timestamp)? {
    let run = state.withLock { state in
      let runs = state.runs[ExactText(job)]
      return runs?.first { !$0.isAside } ?? runs?.first
    }
    guard let run else { return nil }
    if run.continuation != nil { return (.turn, run.since) }
    return run.waits?.current.map { wait, waited in
      (wait, now + .milliseconds(-waited.wholeMilliseconds))
    }
  }
}
