package import FetchModel

/// The jobs, runs and items of a store, for those who read them.
package protocol HistoryStore: Sendable {
  // MARK: Items

  /// Returns a page of items, in the order of the query.
  ///
  /// One page is of one instant. The next one may miss items that were changed or pruned meanwhile, and
  /// has no item twice; with `ItemQuery.since` nothing is missed.
  ///
  /// - Parameter mark: where the page before has ended; nil for the first.
  func items(_ query: ItemQuery, after mark: PageMark?) async throws(StoreError) -> Page<StoredItem>

  /// Returns the sequence of the latest change; 0 where there has been none.
  func lastSequence() async throws(StoreError) -> Int64

  /// Returns how many items of a job were news, counted up to `max`.
  func newsCount(of job: String, max: Int) async throws(StoreError) -> Int

  /// Returns all kept versions of an item, newest first; none where the job has no such item.
  func versions(job: String, key: ItemKey) async throws(StoreError) -> [StoredItem]

  /// Returns title and URL of the newest version of each of these items; nothing of those that the job
  /// does not have.
  func lastVersions(job: String, keys: [ItemKey]) async throws(StoreError) -> [ItemKey: LastVersion]

  // MARK: Runs

  /// Returns run records, newest first. A run that goes on after a checkpoint is not among them; one
  /// that nobody ended is.
  func runs(job: String?, limit: Int?) async throws(StoreError) -> [RunRecord]

  /// Returns the run with that id or the only one whose id begins so, otherwise the last run of the job
  /// with that name; nil where there is none.
  func run(named name: String) async throws(StoreError) -> RunRecord?

  /// Returns the runs whose answers are kept, newest first.
  func keptRuns() async throws(StoreError) -> [KeptRunRow]

  /// Returns the kept answers of a run; nil where there are none.
  func keptAnswers(of run: RunID) async throws(StoreError) -> [UInt8]?

  // MARK: Jobs

  /// Returns all jobs that the store knows, by name.
  func jobs() async throws(StoreError) -> [JobStatus]

  /// Whether there is a job of that name.
  func hasJob(_ name: String) async throws(StoreError) -> Bool

  /// Returns the name of the job with an identity, by its key; nil where there is none. A job without
  /// an identity in the store has its name as its key.
  func job(identity key: String) async throws(StoreError) -> String?

  /// Whether a run of the job has ended with a result: newData or noData.
  func hasResult(of job: String) async throws(StoreError) -> Bool

  /// Returns addresses that runs of a job have asked, as far as the store remembers them: of answers
  /// that are asked for again with a condition, and of its transfers. In no order, 10,000 of each at
  /// most.
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
