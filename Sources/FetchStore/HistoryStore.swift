package import FetchModel
package import FetchValues

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

/// A selection of items with its order.
package struct ItemQuery: Equatable, Sendable {
  /// The job whose items are selected; nil for all jobs.
  package var job: String?
  /// Selects changes after that sequence, including removals, oldest first, so that a reader can
  /// continue from its last one. Nil selects the present items, newest first.
  package var since: Int64?
  /// The maximum number of items; nil for no limit.
  package var limit: Int?

  package init(job: String? = nil, since: Int64? = nil, limit: Int? = nil) {
    self.job = job
    self.since = since
    self.limit = limit
  }
}

/// One part of a long answer, and the place where the next one begins.
package struct Page<Element: Sendable>: Sendable {
  package var elements: [Element]
  /// The start of the next page; nil after the last one.
  package var next: PageMark?

  package init(_ elements: [Element], next: PageMark? = nil) {
    self.elements = elements
    self.next = next
  }
}

extension Page: Equatable where Element: Equatable {}

/// The start of the next page of an answer, valid only for the same store and query.
package enum PageMark: Equatable, Sendable {
  /// After this sequence, or before it in a query for the newest first; `left` more may follow.
  case sequence(Int64, left: Int?)
  /// These items, by the sequences of their newest versions.
  case items(ArraySlice<Int64>)
  /// After this row, by the store's own number.
  case row(Int64)

  /// The maximum number of elements of a page.
  package static let countMax = 1_000
}

/// A run whose answers are kept.
package struct KeptRunRow: Equatable, Sendable {
  package var run: RunID
  package var job: String
  package var startedAt: Timestamp
  package var bytes: Int

  package init(run: RunID, job: String, startedAt: Timestamp, bytes: Int) {
    self.run = run
    self.job = job
    self.startedAt = startedAt
    self.bytes = bytes
  }
}

/// The store's data of a job, for display.
package struct JobStatus: Equatable, Sendable {
  package var name: String
  package var plugin: String
  /// The number of present items.
  package var itemCount: Int
  package var lastRunAt: Timestamp?
  /// The last run with an outcome other than failed.
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?

  package init(
    name: String, plugin: String, itemCount: Int, lastRunAt: Timestamp?,
    lastSuccessAt: Timestamp?, lastNewDataAt: Timestamp?
  ) {
    self.name = name
    self.plugin = plugin
    self.itemCount = itemCount
    self.lastRunAt = lastRunAt
    self.lastSuccessAt = lastSuccessAt
    self.lastNewDataAt = lastNewDataAt
  }
}
