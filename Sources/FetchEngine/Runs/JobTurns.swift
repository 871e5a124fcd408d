import FetchHost
import FetchModel
import FetchValues
import Synchronization

/// The runs of a process, grouped by job. One run of a job is under way at a time. The job's other
/// runs wait in the order of their arrival.
final class JobTurns: Sendable {
  /// A run from its call of `enter` to its call of `leave`.
  final class Run: Sendable {
    let since: Timestamp
    /// Whether the run calls the plugin's `on_transfer`, outside the job's schedule.
    let isAside: Bool
    // SAFETY: the properties below are used only with the lock of `current`.
    /// Whether the run must still wait for another run.
    fileprivate nonisolated(unsafe) var isWaiting = false
    /// The continuation that resumes the run when its turn comes; nil if the run does not wait for
    /// another run.
    fileprivate nonisolated(unsafe) var continuation: CheckedContinuation<Void, Never>?
    /// The run's waits for hostnames and for a worker; nil until `begin` sets them.
    fileprivate nonisolated(unsafe) var waits: TurnWaits?
    /// The job's next run, which waits for this one; nil if there is none.
    fileprivate nonisolated(unsafe) var next: Run?

    fileprivate init(since: Timestamp, isAside: Bool) {
      self.since = since
      self.isAside = isAside
    }

    /// This run and those that wait behind it, in the order of their arrival.
    fileprivate var line: some Sequence<Run> { sequence(first: self, next: \.next) }
  }

  /// The run of each job that is under way. It leads to the job's other runs.
  private let current = Mutex<[JobName: Run]>([:])

  /// Waits until no other run of the job is under way. Returns the run, which the caller must pass
  /// to `leave` when it has ended.
  func enter(_ job: JobName, isAside: Bool, now: Timestamp) async -> Run {
    let run = Run(since: now, isAside: isAside)
    let isFree = current.withLock { current in
      guard let first = current.updateValue(run, forKey: job) else { return true }
      current[job] = first
      run.isWaiting = true
      for other in first.line where other.next == nil {
        other.next = run
        break
      }
      return false
    }
    if isFree { return run }
    await withCheckedContinuation { continuation in
      let isFree = current.withLock { _ in
        if run.isWaiting { run.continuation = continuation }
        return !run.isWaiting
      }
      if isFree { continuation.resume() }
    }
    return run
  }

  func begin(_ run: Run, _ waits: TurnWaits) { current.withLock { _ in run.waits = waits } }

  func leave(_ job: JobName, _ run: Run) {
    let next = current.withLock { current -> CheckedContinuation<Void, Never>? in
      current[job] = run.next
      run.next?.isWaiting = false
      return run.next?.continuation.take()
    }
    next?.resume()
  }

  /// Returns the wait of the job's oldest run that is not for a transfer. If all runs are for
  /// transfers, returns the wait of the oldest run. Returns nil if there is no run, or if the
  /// selected run does not wait.
  func wait(of job: JobName, now: Timestamp) -> (wait: RunWait, since: Timestamp)? {
    let found = current.withLock { current in
      let first = current[job]
      let run = first?.line.first { !$0.isAside } ?? first
      return run.map { (since: $0.since, isWaiting: $0.continuation != nil, waits: $0.waits) }
    }
    guard let found else { return nil }
    if found.isWaiting { return (.turn, found.since) }
    return found.waits?.current.map { wait, waited in
      (wait, now + .milliseconds(-waited.wholeMilliseconds))
    }
  }
}
