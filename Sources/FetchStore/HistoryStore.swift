package import FetchModel
package import FetchValues

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

/// Which items to read, and in which order.
package struct ItemQuery: Equatable, Sendable {
  /// Only this job's.
  package var job: String?
  /// Changes after that sequence, removals too, oldest first, so that a reader can go on from the
  /// last one it has. Nil: what is present now, newest first.
  package var since: Int64?
  /// Nil: all.
  package var limit: Int?

  package init(job: String? = nil, since: Int64? = nil, limit: Int? = nil) {
    self.job = job
    self.since = since
    self.limit = limit
  }
}

/// One part of a long answer, and where the next one begins.
package struct Page<Element: Sendable>: Sendable {
  package var elements: [Element]
  /// Nil: this was the last part.
  package var next: PageMark?

  package init(_ elements: [Element], next: PageMark? = nil) {
    self.elements = elements
    self.next = next
  }
}

extension Page: Equatable where Element: Equatable {}

/// The place where the next page of an answer begins: for the store and the query that gave it, and
/// for nobody else.
package enum PageMark: Equatable, Sendable {
  /// After this sequence, or before it where the newest come first; so many may follow.
  case sequence(Int64, left: Int?)
  /// These items, by the sequences of their newest versions.
  case items(ArraySlice<Int64>)
  /// After this row of the store's own.
  case row(Int64)

  /// The elements of a page, at most.
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

/// A job as the store knows it.
package struct JobStatus: Equatable, Sendable {
  package var name: String
  package var plugin: String
  /// Items that are present.
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
