package import FetchModel

/// The jobs, runs and items of a store, for reading.
package protocol HistoryStore: Sendable {
  // MARK: Items

  /// Returns a page of items, in the order of the query.
  ///
  /// One page shows one instant. The next page may miss items that were changed or pruned since,
  /// and repeats no item; with `ItemQuery.since` nothing is missed.
  ///
  /// - Parameter mark: the end of the previous page; nil for the first.
  func items(_ query: ItemQuery, after mark: PageMark?) async throws(StoreError) -> Page<StoredItem>

  /// Returns the sequence of the latest change; 0 if there is none.
  func lastSequence() async throws(StoreError) -> Int64

  /// Returns how many items of a job were reported as new, counted up to `max`.
  func newsCount(of job: String, max: Int) async throws(StoreError) -> Int

  /// Returns all kept versions of an item, newest first; none if the job has no such item.
  func versions(job: String, key: ItemKey) async throws(StoreError) -> [StoredItem]

  /// Returns title and URL of the newest version of those of the items that the job has.
  func lastVersions(job: String, keys: [ItemKey]) async throws(StoreError) -> [ItemKey: LastVersion]

  // MARK: Runs

  /// Returns run records, newest first, including abandoned runs but not those that continue after
  /// a checkpoint.
  func runs(job: String?, limit: Int?) async throws(StoreError) -> [RunRecord]

  /// Returns the run with that id or unique beginning of an id, otherwise the last run of the job
  /// with that name; nil if there is none.
  func run(named name: String) async throws(StoreError) -> RunRecord?

  /// Returns the runs whose answers are kept, newest first.
  func keptRuns() async throws(StoreError) -> [KeptRunRow]

  /// Returns the kept answers of a run; nil if there are none.
  func keptAnswers(of run: RunID) async throws(StoreError) -> [UInt8]?

  // MARK: Jobs

  /// Returns all jobs in the store, by name.
  func jobs() async throws(StoreError) -> [JobStatus]

  /// Whether there is a job of that name.
  func hasJob(_ name: String) async throws(StoreError) -> Bool

  /// Returns the name of the job with that identity key; nil if there is none. A job without a
  /// stored identity has its name as its key.
  func job(identity key: String) async throws(StoreError) -> String?

  /// Whether a run of the job has ended with a result: newData or noData.
  func hasResult(of job: String) async throws(StoreError) -> Bool

  /// Returns stored addresses that runs of a job have requested: those with validators, and those
  /// of transfers. They have no order; there are at most 10,000 of each.
  func addresses(of job: String) async throws(StoreError) -> [String]
}

extension HistoryStore {
  /// Returns the items of a query whose answer fits in memory.
  package func allItems(_ query: ItemQuery) async throws(StoreError) -> [StoredItem] {
    var all: [StoredItem] = []
    var mark: PageMark?
    repeat {
      let page = try await items(query, after: mark)
      all += page.elements
      mark = page.next
    } while mark != nil
    return all
  }
}
