package import FetchModel
package import FetchValues
internal import Synchronization

/// The jobs with an active run: their leases, and the rows of their runs.
///
/// This type is a separate class, because closures on the queue of an SQLite connection must not
/// have a reference to the store. If such a closure released the last reference to the store, the
/// store's `deinit` would run on this queue and wait for it.
package final class OpenRuns: Sendable {
  private struct OpenRun {
    var run: RunID
    /// The number of the run's row; nil until the row is inserted or about to be inserted. A store
    /// that does not number its rows uses 1.
    var number: Int64?
    /// Whether the run has begun to store something. The run then needs no note that it has begun.
    var isWritten = false
  }

  package init() {}

  /// A run that has ended, and whose row does not say so, because the store refused its end.
  package struct Unended: Sendable {
    /// The record of the ended run.
    package var record: RunRecord
    /// The number of the run's row.
    package var number: Int64
  }

  private let runs = Mutex<[JobName: OpenRun]>([:])
  private let unended = Mutex<[Unended]>([])
  /// The maximum number of rows that are remembered. The store's next start finds the others.
  private static let unendedMax = 10_000

  // With `\.count`, the first call would create a key path, which takes 1 % of a short start.
  package var count: Int { runs.withLock { $0.count } }

  /// Takes the lease of a job for a run. Returns false if another run of the job has the lease.
  package func begin(_ run: RunID, of job: JobName) -> Bool {
    runs.withLock { runs in
      guard let other = runs.updateValue(OpenRun(run: run), forKey: job) else { return true }
      runs[job] = other
      return false
    }
  }

  package func end(_ run: RunID, of job: JobName) {
    runs.withLock { runs in
      guard let other = runs.removeValue(forKey: job), other.run != run else { return }
      runs[job] = other
    }
  }

  /// Ends the lease of a run whose end the store did not accept. If the run may have a row, the row
  /// is remembered: see `takeUnended`.
  package func abandon(_ record: RunRecord) {
    let number = runs.withLock { runs -> Int64? in
      guard let open = runs[record.job], open.run == record.run else { return nil }
      runs[record.job] = nil
      return open.number
    }
    guard let number else { return }
    var record = record
    // The time was computed for the end that was refused.
    record.nextDueAt = nil
    remember([Unended(record: record, number: number)])
  }

  /// Removes and returns the remembered rows of runs whose end the store did not accept. If they
  /// cannot be ended now either, give them back to `remember`.
  package func takeUnended() -> [Unended] {
    unended.withLock { unended in
      if unended.isEmpty { return [] }
      defer { unended = [] }
      return unended
    }
  }

  package func remember(_ runs: [Unended]) {
    unended.withLock { $0.append(contentsOf: runs.prefix(max(0, Self.unendedMax - $0.count))) }
  }

  package func setRow(_ number: Int64, of run: RunID, of job: JobName) {
    change(run, of: job) { $0.number = number }
  }

  package func hasRow(_ job: JobName) -> Bool { runs.withLock { $0[job]?.number != nil } }

  package func isUnwritten(_ run: RunID, of job: JobName) -> Bool {
    var isUnwritten = false
    change(run, of: job) { isUnwritten = !$0.isWritten }
    return isUnwritten
  }

  /// Records that a run is about to store something. Returns the number of the run's row; nil if
  /// the run has no row yet. Call this function on the connection's queue. Otherwise a note that
  /// the run has begun could insert a second row.
  package func rowToWrite(_ run: RunID, of job: JobName) -> Int64? {
    var number: Int64?
    change(run, of: job) { open in
      open.isWritten = true
      number = open.number
    }
    return number
  }

  private func change(_ run: RunID, of job: JobName, _ body: (inout OpenRun) -> Void) {
    runs.withLock { runs in
      guard let index = runs.index(forKey: job), runs.values[index].run == run else { return }
      body(&runs.values[index])
    }
  }
}
