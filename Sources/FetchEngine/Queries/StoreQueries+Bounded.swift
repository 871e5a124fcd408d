package import FetchModel
package import FetchStore
package import FetchValues

/// The queries of a server. Each query has a bounded size: see `BoundedHistory`.
extension StoreQueries {
  /// Returns the change with the sequence number; nil if there is none.
  package func change(_ sequence: Int64) async throws(StoreError) -> StoredItem? {
    try await reader.change(sequence)
  }

  /// Returns the next changes after a sequence number, oldest first. The query does not count as a
  /// read by a person.
  package func changes(_ query: ChangeQuery) async throws(StoreError) -> ChangePage {
    let page = try await reader.changes(query)
    if page.changes.isEmpty, let job = query.job { try await checkIsStored(job) }
    return page
  }

  /// Returns a page of ended runs, newest first.
  package func runs(
    _ query: RunQuery, after mark: PageMark?
  ) async throws(StoreError) -> Page<RunRecord> {
    let page = try await reader.runs(query, after: mark)
    if page.elements.isEmpty, let job = query.job { try await checkIsStored(job) }
    return page
  }

  /// Returns the run with the name: its id or a unique beginning of its id, or the name of a job,
  /// for the job's last run. Returns nil if there is no such run.
  package func run(named name: String) async throws(StoreError) -> RunRecord? {
    try await reader.run(named: name)
  }

  /// Returns the sequence number of the last change, and the number of the last ended run.
  package func lastNumbers() async throws(StoreError) -> (sequence: Int64, ended: Int64) {
    // The number of the last ended run is read first, since the changes of a run are stored
    // together with its end.
    let ended = try await reader.lastEnded()
    return (try await reader.lastSequence(), ended)
  }

  /// Returns the next runs that ended after the run with the given number, oldest first.
  package func endedRuns(
    after ended: Int64, limit: Int = PageMark.countMax
  ) async throws(StoreError) -> EndedRuns { try await reader.endedRuns(after: ended, limit: limit) }

  /// Returns the runs of jobs that began in a period.
  package func runMarks(
    of jobs: [JobName]?, from start: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> [JobMarks] {
    try await reader.runMarks(of: jobs, from: start, until: end)
  }

  /// Returns the number of runs that began in each interval of five minutes of a period.
  package func runCounts(
    from start: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> RunCounts { try await reader.runCounts(from: start, until: end) }

  /// Throws `unknownJob` if the store does not have the job. The names of the jobs are read only
  /// for the message.
  private func checkIsStored(_ job: JobName) async throws(StoreError) {
    if try await !reader.hasJob(job) { _ = try await self.job(job) }
  }
}
