import FetchHost
import FetchValues
import Synchronization

/// The runs under way, by their jobs, with what each waits for.
package final class RunWaits: Sendable {
  private let runs = Mutex<[ExactText: TurnWaits]>([:])

  /// A run of a job is under way, the only one.
  func begin(_ job: String, _ waits: TurnWaits) {
    runs.withLock { $0[ExactText(job)] = waits }
  }

  func end(_ job: String) { runs.withLock { $0[ExactText(job)] = nil } }

  /// A clause about the hostname that a job's run waits for; nil where none is waited for.
  func clause(of job: String, now: Timestamp) -> String? {
    guard let turn = runs.withLock({ $0[ExactText(job)] })?.turn else { return nil }
    let since = now + .milliseconds(-turn.waited.wholeMilliseconds)
    return "waits for its turn at \(turn.hostname) since \(since.descriptionInSeconds)"
  }
}
