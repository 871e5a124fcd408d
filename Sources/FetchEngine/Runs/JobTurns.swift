import FetchHost
import FetchModel
import FetchValues
import Synchronization

/// The runs of a process, grouped by job. One run of a job is under way at a time. The job's other
/// runs wait in the order of their arrival.
final class JobTurns: Sendable {
  private struct Run {
    let id: UInt64
    let since: Timestamp
    /// Whether the run calls the plugin's `on_transfer`, outside the job's schedule.
    let isAside: Bool
    /// The continuation that resumes the run when its turn comes; nil if the run does not wait for
    /// another run.
    var continuation: CheckedContinuation<Void, Never>?
    /// The run's waits for hostnames and for a worker; nil until `begin` sets them.
    var waits: TurnWaits?
  }

  private struct State {
    var lastID: UInt64 = 0
    /// The runs of each job. The first run is under way, and the others wait.
    var runs: [JobName: [Run]] = [:]
  }

  private let state = Mutex(State())

  /// Waits until no other run of the job is under way. Returns an id, which the caller must pass to
  /// `leave` when the run has ended.
  func enter(_ job: JobName, isAside: Bool, now: Timestamp) async -> UInt64 {
    let (id, isFree) = state.withLock { state in
      state.lastID += 1
      let run = Run(id: state.lastID, since: now, isAside: isAside)
      guard let others = state.runs.updateValue([run], forKey: job) else {
        return (state.lastID, true)
      }
      state.runs[job] = others + [run]
      return (state.lastID, false)
    }
    if isFree { return id }
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard let place = state.runs[job]?.firstIndex(where: { $0.id == id }), place > 0 else {
          return true
        }
        state.runs[job]?[place].continuation = continuation
        return false
      }
      if isFree { continuation.resume() }
    }
    return id
  }

  func begin(_ job: JobName, _ id: UInt64, _ waits: TurnWaits) {
    state.withLock { state in
      guard let index = state.runs.index(forKey: job),
        let place = state.runs.values[index].firstIndex(where: { $0.id == id })
      else { return }
      state.runs.values[index][place].waits = waits
    }
  }

  func leave(_ job: JobName, _ id: UInt64) {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      var runs = state.runs.removeValue(forKey: job) ?? []
      runs.removeAll { $0.id == id }
      if runs.isEmpty { return nil }
      defer { state.runs[job] = runs }
      return runs[0].continuation.take()
    }
    next?.resume()
  }

  /// Returns the wait of the job's oldest run that is not for a transfer. If all runs are for
  /// transfers, returns the wait of the oldest run. Returns nil if there is no run, or if the
  /// selected run does not wait.
  func wait(of job: JobName, now: Timestamp) -> (wait: RunWait, since: Timestamp)? {
    let run = state.withLock { state in
      let runs = state.runs[job]
      return runs?.first { !$0.isAside } ?? runs?.first
    }
    guard let run else { return nil }
    if run.continuation != nil { return (.turn, run.since) }
    return run.waits?.current.map { wait, waited in
      (wait, now + .milliseconds(-waited.wholeMilliseconds))
    }
  }
}
