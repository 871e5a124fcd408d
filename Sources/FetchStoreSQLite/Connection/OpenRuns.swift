import FetchModel
import FetchValues
import Synchronization

/// The jobs with an active run: their leases, and the rows of their runs.
///
/// It is a separate object because work on the connection may not hold the store: releasing the
/// store last closes the connection, which would wait for itself.
final class OpenRuns: Sendable {
  private struct OpenRun {
    var run: RunID
    /// The run's row, after it stored a checkpoint or was noted.
    var number: Int64?
    /// Whether the run has stored something, so that it needs no note.
    var isWritten = false
  }

  private let runs = Mutex<[ExactText: OpenRun]>([:])

  var count: Int { runs.withLock(\.count) }

  /// Takes the lease; returns false while another run of the job has it.
  func begin(_ run: RunID, of job: String) -> Bool {
    runs.withLock { runs in
      guard runs[ExactText(job)] == nil else { return false }
      runs[ExactText(job)] = OpenRun(run: run)
      return true
    }
  }

  func end(_ run: RunID, of job: String) {
    change(run, of: job) { $0 = nil }
  }

  func setRow(_ number: Int64, of run: RunID, of job: String) {
    change(run, of: job) { $0?.number = number }
  }

  func hasRow(_ job: String) -> Bool { runs.withLock { $0[ExactText(job)]?.number != nil } }

  func isUnwritten(_ run: RunID, of job: String) -> Bool {
    var isUnwritten = false
    change(run, of: job) { isUnwritten = $0?.isWritten == false }
    return isUnwritten
  }

  /// Returns the row of a run that is about to store something, if it has one. Call it on the
  /// connection, in order with the notes of runs.
  func rowToWrite(_ run: RunID, of job: String) -> Int64? {
    var number: Int64?
    change(run, of: job) { open in
      open?.isWritten = true
      number = open?.number
    }
    return number
  }

  private func change(_ run: RunID, of job: String, _ body: (inout OpenRun?) -> Void) {
    runs.withLock { runs in
      if runs[ExactText(job)]?.run == run { body(&runs[ExactText(job)]) }
    }
  }
}
