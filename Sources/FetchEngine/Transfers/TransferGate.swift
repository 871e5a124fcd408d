package import FetchHost
import FetchModel
package import FetchSchedule
package import FetchValues
import Synchronization

/// The limits that transfers share with runs: the limits and cooldowns of hostnames, the budget of
/// all jobs, and the job's own budget.
package protocol TransferGate: Sendable {
  /// Returns the maximum number of simultaneous transfers at a hostname.
  func places(at hostname: String) -> Int
  /// Returns the end of a hostname's cooldown; nil if the hostname has no cooldown.
  func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp?
  /// Begins a cooldown that a server has requested.
  func close(_ hostname: String, until: Timestamp, now: Timestamp)
  /// Returns the time from which a job may spend the cost; nil if the job may spend the cost now.
  func opening(for cost: RunCost, of job: JobName, now: Timestamp) -> Timestamp?
  /// Charges a cost to the job. Returns false if the budget of all jobs or the job's own budget is
  /// now exceeded.
  func charge(_ cost: RunCost, to job: JobName, now: Timestamp) -> Bool
}

/// The gate of a command without a config. Its only limits are the cooldowns of hostnames.
package final class OpenGate: TransferGate, Cooldowns {
  private let closed: Mutex<[String: Timestamp]>

  /// Creates the gate. `coolDowns` contains the end of each stored cooldown, by origin.
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

  package func opening(for cost: RunCost, of job: JobName, now: Timestamp) -> Timestamp? { nil }
  package func charge(_ cost: RunCost, to job: JobName, now: Timestamp) -> Bool { true }
}
