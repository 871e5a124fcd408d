import FetchValues
import Synchronization

/// One run of a job at a time: who comes while one is under way waits for its end, in the order they
/// came. No run outlives its window and its limit `waiting`, so nobody waits for long.
final class JobTurns: Sendable {
  /// The jobs that have a run, with those who wait.
  private let waiting = Mutex<[ExactText: [CheckedContinuation<Void, Never>]]>([:])

  func enter(_ job: String) async {
    await withCheckedContinuation { continuation in
      let isFree = waiting.withLock { waiting in
        guard waiting[ExactText(job)] != nil else {
          waiting[ExactText(job)] = []
          return true
        }
        waiting[ExactText(job)]?.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func leave(_ job: String) {
    let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
      guard let others = waiting[ExactText(job)], !others.isEmpty else {
        waiting[ExactText(job)] = nil
        return nil
      }
      return waiting[ExactText(job)]?.removeFirst()
    }
    next?.resume()
  }
}
