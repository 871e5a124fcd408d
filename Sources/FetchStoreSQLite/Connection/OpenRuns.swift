import FetchModel
import FetchValues
import Synchronization

/// The jobs that have a run now: their leases, and the rows of their runs.
///
/// An object of its own, for what is done by the connection may not hold the store: whoever lets go
/// of it last closes the connection, and would wait for himself.
final class OpenRuns: Sendable {
  private struct OpenRun {
    var run: RunID
    /// Its row, once it has stored a checkpoint or was noted.
    var number: Int64?
    /// Whether it has stored something: it needs no note.
    var isWritten = false
  }

  private let runs = Mutex<[ExactText: OpenRun]>([:])

  var count: Int { runs.withLock(\.count) }

  /// False while another run has the job.
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

  /// The row of a run that stores something now, if it has one. To be asked where that is done, one
  /// after the other with notes of runs.
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
