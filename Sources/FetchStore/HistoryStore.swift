package import FetchModel
package import FetchValues

/// The functions that read the jobs, runs and items of a store.
package protocol HistoryStore: Sendable {
  // MARK: Items

  /// Returns a page of items, in the order of the query. A page has at most `PageMark.countMax`
  /// items, and ends earlier if it reaches `ReadBounds.pageBytesMax`. Only `Page.next` says whether
  /// more items follow.
  ///
  /// All items of one page are from the same instant. The next page repeats no version of an item,
  /// but may miss items that were changed or pruned after the previous page. With
  /// `ItemQuery.since`, only changes that are no longer stored are missed.
  ///
  /// - Parameter mark: the end of the previous page; nil for the first.
  func items(_ query: ItemQuery, after mark: PageMark?) async throws(StoreError) -> Page<StoredItem>

  /// Returns the highest sequence number that was ever assigned; 0 if there is none.
  func lastSequence() async throws(StoreError) -> Int64

  /// Returns the number of the job's items whose latest change is stored and is not of the kind
  /// `baseline`, counted up to `max`.
  func newsCount(of job: JobName, max: Int) async throws(StoreError) -> Int

  /// Returns all kept versions of an item, newest first. The list is empty if the job does not have
  /// the item.
  func versions(job: JobName, key: ItemKey) async throws(StoreError) -> [StoredItem]

  /// Returns the title and URL of the newest version of each item. Leaves out items without a
  /// stored version.
  func lastVersions(job: JobName, keys: [ItemKey]) async throws(StoreError) -> [ItemKey:
    LastVersion]

  // MARK: Runs

  /// Returns run records, newest first. Includes runs that are known to be abandoned, but not runs
  /// that are still under way.
  func runs(job: JobName?, limit: Int?) async throws(StoreError) -> [RunRecord]

  /// Returns the run whose id is `name` or uniquely begins with `name`. If there is no such run,
  /// returns the last run of the job `name`; nil if there is none.
  func run(named name: String) async throws(StoreError) -> RunRecord?

  /// Returns the runs with kept answers, newest first. Includes runs whose answers are not kept, if
  /// the reason is stored.
  func keptRuns() async throws(StoreError) -> [KeptRunRow]

  /// Returns the kept answers of a run, or the encoded reason why they are not kept. Returns nil if
  /// neither is stored.
  func keptAnswers(of run: RunID) async throws(StoreError) -> [UInt8]?

  // MARK: Jobs

  /// Returns all jobs in the store, in the order of their names.
  func jobs() async throws(StoreError) -> [JobStatus]

  /// Whether the store has a job with the name.
  func hasJob(_ name: JobName) async throws(StoreError) -> Bool

  /// Returns the name of the job whose identity key or name equals `key`; nil if there is none. The
  /// job with this name is preferred.
  func job(identity key: String) async throws(StoreError) -> JobName?

  /// Whether a run of the job has ended with the outcome newData or noData since the job was last
  /// reset. Runs for a single transfer do not count.
  func hasResult(of job: JobName) async throws(StoreError) -> Bool

  /// Returns the job's stored addresses: those with validators, and those of transfers. The
  /// addresses have no order. There are at most 10,000 of each kind.
  func addresses(of job: JobName) async throws(StoreError) -> [String]
}

extension HistoryStore {
  /// Returns all items that a query selects. Use this function only if all of these items fit in
  /// memory.
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

/// A selection of items, and their order.
package struct ItemQuery: Equatable, Sendable {
  /// The job whose items are selected; nil for all jobs.
  package var job: JobName?
  /// Selects the changes after this sequence number, oldest first. Includes removals, but no
  /// changes of the kind `baseline`. Nil selects the present items, newest first.
  package var since: Int64?
  /// Selects the present items whose latest change is before this sequence number. Ignored if
  /// `since` is set.
  package var before: Int64?
  /// The maximum number of items; nil for no limit.
  package var limit: Int?

  package init(
    job: JobName? = nil, since: Int64? = nil, before: Int64? = nil, limit: Int? = nil
  ) {
    self.job = job
    self.since = since
    self.before = before
    self.limit = limit
  }
}

/// One part of a long result, and the mark at which the next part begins.
package struct Page<Element: Sendable>: Sendable {
  package var elements: [Element]
  /// The start of the next page; nil after the last page.
  package var next: PageMark?

  package init(_ elements: [Element], next: PageMark? = nil) {
    self.elements = elements
    self.next = next
  }
}

extension Page: Equatable where Element: Equatable {}

/// The start of the next page of a result. A mark is valid only for the same store and query.
package enum PageMark: Equatable, Sendable {
  /// The page begins after this sequence number, or before this number if the newest items come
  /// first. At most `left` more items follow; nil for no limit.
  case sequence(Int64, left: Int?)
  /// The next pages have the item versions with these sequence numbers.
  case items(ArraySlice<Int64>)
  /// The page begins after the row with this number. Only the store knows what the number means.
  case row(Int64)

  /// The maximum number of elements in a page.
  package static let countMax = 1_000
}

/// A run with kept answers, or with the stored reason why its answers are not kept.
package struct KeptRunRow: Equatable, Sendable {
  package var run: RunID
  package var job: JobName
  package var startedAt: Timestamp
  package var bytes: Int

  package init(run: RunID, job: JobName, startedAt: Timestamp, bytes: Int) {
    self.run = run
    self.job = job
    self.startedAt = startedAt
    self.bytes = bytes
  }
}

/// The stored data about a job, for display.
package struct JobStatus: Equatable, Sendable {
  package var name: JobName
  package var plugin: PluginName
  /// The number of present items.
  package var itemCount: Int
  package var lastRunAt: Timestamp?
  /// The start of the last run with the outcome newData or noData; nil if there is none.
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?

  package init(
    name: JobName, plugin: PluginName, itemCount: Int, lastRunAt: Timestamp?,
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

extension PageMark {
  /// The row number or the sequence number at the end of the previous page. Nil if the mark is a
  /// list of items.
  package var number: Int64? {
    switch self {
    case .row(let row): row
    case .sequence(let sequence, _): sequence
    case .items: nil
    }
  }
}
