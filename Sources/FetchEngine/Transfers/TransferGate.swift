package import FetchHost
import FetchModel
package import FetchSchedule
package import FetchValues
import Synchronization

/// The limits that transfers share with runs: lanes, cooldowns of hostnames, and the budgets of all
/// jobs and of the job.
package protocol TransferGate: Sendable {
  /// Returns how many transfers may be under way at a hostname.
  func places(at hostname: String) -> Int
  /// Returns the end of a hostname's cooldown; nil if there is none.
  func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp?
  /// Begins a cooldown that a server has requested.
  func close(_ hostname: String, until: Timestamp, now: Timestamp)
  /// Returns when a job may spend that; nil: now.
  func opening(for cost: RunCost, of job: String, now: Timestamp) -> Timestamp?
  /// Charges a job's costs. Returns false if that exceeds the budget now.
  func charge(_ cost: RunCost, to job: String, now: Timestamp) -> Bool
}

/// The gate of a command without a config: no lanes and no budget, but cooldowns of hostnames, also
/// those that its run has learned.
package final class OpenGate: TransferGate, Cooldowns {
  private let closed: Mutex<[String: Timestamp]>

  /// Creates the gate; `coolDowns` is by origin, as in the store.
  package init(coolDowns: [ExactText: Timestamp] = [:]) {
    var closed: [String: Timestamp] = [:]
    for (origin, until) in coolDowns {
      guard let target = try? TargetURL(origin.text) else { continue }
      closed[target.hostname] = max(until, closed[target.hostname] ?? until)
    }
    self.closed = Mutex(closed)
  }

  package func places(at hostname: String) -> Int { .max }

  package func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
    closed.withLock { $0[hostname] }.flatMap { $0 > now ? $0 : nil }
  }

  package func close(_ hostname: String, until: Timestamp, now: Timestamp) {
    closed.withLock { $0[hostname] = max(until, $0[hostname] ?? until) }
  }

  package func close(_ note: RetryAfterNote, now: Timestamp) {
    close(note.hostname, until: note.until, now: now)
  }

  package func opening(for cost: RunCost, of job: String, now: Timestamp) -> Timestamp? { nil }
  package func charge(_ cost: RunCost, to job: String, now: Timestamp) -> Bool { true }
}
