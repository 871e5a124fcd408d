package import FetchModel
package import FetchValues

/// The read functions for programs that show the contents of a store. Each function returns a
/// limited amount of data, even from a large store.
package protocol BoundedHistory: Sendable {
  // MARK: Items

  /// Returns the change with the given sequence number; nil if there is no such change, or if it
  /// was pruned.
  func change(_ sequence: Int64) async throws(StoreError) -> StoredItem?

  /// Returns the next changes of the log after a sequence number, oldest first. The result includes
  /// removals, but no changes of the kind `baseline`.
  ///
  /// Reads at most `ReadBounds.rowsScannedMax` changes. The page may therefore be short or empty
  /// although more changes follow: see `ChangePage.isLast`.
  func changes(_ query: ChangeQuery) async throws(StoreError) -> ChangePage

  /// Searches for the last change after `sequence`, of one job or of all jobs. Changes of every
  /// kind count. For all jobs, a change that was pruned also counts.
  ///
  /// For a single job, searches only the next `ReadBounds.rowsScannedMax` sequence numbers: see
  /// `LastChange.isLast`.
  ///
  /// - Parameter job: the job; nil for all jobs.
  func lastChange(of job: JobName?, after sequence: Int64) async throws(StoreError) -> LastChange

  /// Returns a number that differs from the previous result if another process has changed the
  /// store since the previous call. Changes by the reading process itself may leave the number
  /// unchanged.
  func dataVersion() async throws(StoreError) -> Int64

  // MARK: Sums

  /// Returns the counts of deliveries and transfers in the store.
  func sums() async throws(StoreError) -> StoreSums

  // MARK: Runs

  /// Returns the number of the last ended run. Returns 0 if no run has ended, or if the store's
  /// format does not number the ends of runs.
  ///
  /// Each run receives the next number when it ends. The numbers follow the order of commits: after
  /// a reader has seen a number, no run with a lower number appears.
  func lastEnded() async throws(StoreError) -> Int64

  /// Returns the next runs that ended after the run with the given number, in the order of their
  /// ends. Returns no runs if `EndedRuns.hasGap` is true.
  ///
  /// - Parameter limit: the maximum number of runs, at most `PageMark.countMax`.
  func endedRuns(after ended: Int64, limit: Int) async throws(StoreError) -> EndedRuns

  /// Returns a page of ended and abandoned runs, newest first.
  ///
  /// If the query has an outcome, at most `ReadBounds.rowsScannedMax` runs are read. The page may
  /// then be short or empty although more runs follow.
  ///
  /// - Parameter mark: the end of the previous page; nil for the first.
  func runs(_ query: RunQuery, after mark: PageMark?) async throws(StoreError) -> Page<RunRecord>

  /// Returns the ended runs that began in a period, by job, for plots. Leaves out jobs without such
  /// runs. If there are too many runs, only the latest ones are included: see `ReadBounds`.
  ///
  /// - Parameter jobs: the names of at most `ReadBounds.jobsMax` jobs, in the order of the result;
  ///   further names are ignored. Nil means all jobs, in the order of their names.
  func runMarks(
    of jobs: [JobName]?, from start: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> [JobMarks]

  /// Counts the ended runs that began in a period, by outcome and by intervals of five minutes. The
  /// result also has the number of the last ended run in the store.
  func runCounts(
    from start: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> RunCounts
}

/// The bounds of the reads of `BoundedHistory`. Pages have at most `PageMark.countMax` elements.
package enum ReadBounds {
  /// The maximum number of rows that are read to find the elements of one page.
  package static let rowsScannedMax = 20_000
  /// The maximum number of runs that may end between two reads of a reader. If more runs have
  /// ended, the reader must read its lists again.
  package static let endedMax: Int64 = 10_000
  /// The size in bytes at which a page of items or changes ends. Their fields count. The page
  /// includes the item or change that reaches this size.
  package static let pageBytesMax = 8 << 20
  /// The maximum number of jobs whose runs one call reads for plots, if the caller names the jobs.
  package static let jobsMax = 500
  /// The maximum number of runs of one job for a plot, if the caller names the jobs.
  package static let marksPerJobMax = 1_000
  /// The maximum number of runs for a plot of all jobs.
  package static let marksMax = 50_000
  /// The maximum number of runs that one call of `runCounts` reads. Further runs are not counted.
  package static let countedMax = 1_000_000
  /// The maximum number of intervals of five minutes in `RunCounts`.
  package static let bucketsMax = 1_000
}

extension Sequence<StoredItem> {
  /// The size of the items for `ReadBounds.pageBytesMax`, in bytes.
  package var fieldsByteCount: Int { reduce(0) { $0 + $1.fieldsJSON.utf8.count } }
}

/// A selection of changes from the log.
package struct ChangeQuery: Equatable, Sendable {
  /// The job whose changes are selected; nil for all jobs.
  package var job: JobName?
  /// The sequence number after which the changes begin.
  package var since: Int64
  /// The maximum number of changes, at most `PageMark.countMax`.
  package var limit: Int

  package init(job: JobName? = nil, since: Int64, limit: Int = PageMark.countMax) {
    self.job = job
    self.since = since
    self.limit = limit
  }
}

/// Some changes of the log, and the sequence number after which the next changes begin.
package struct ChangePage: Equatable, Sendable {
  package var changes: [StoredItem]
  /// The sequence number up to which the log was read. The next page begins after this number.
  package var end: Int64
  /// Whether the log ends at `end`.
  package var isLast: Bool

  package init(_ changes: [StoredItem], end: Int64, isLast: Bool) {
    self.changes = changes
    self.end = end
    self.isLast = isLast
  }
}

/// The last change of one job, or of all jobs, in a part of the log.
package struct LastChange: Equatable, Sendable {
  /// The sequence number of the change; nil if there is none in the part.
  package var sequence: Int64?
  /// The sequence number up to which the log was searched.
  package var end: Int64
  /// Whether the log ends at `end`.
  package var isLast: Bool

  package init(_ sequence: Int64?, end: Int64, isLast: Bool) {
    self.sequence = sequence
    self.end = end
    self.isLast = isLast
  }
}

/// A selection of ended and abandoned runs.
package struct RunQuery: Equatable, Sendable {
  /// The job whose runs are selected; nil for all jobs.
  package var job: JobName?
  /// The outcome of the selected runs; nil for all outcomes.
  package var outcome: OutcomeKind?
  /// The maximum number of runs in a page, at most `PageMark.countMax`.
  package var limit: Int

  package init(
    job: JobName? = nil, outcome: OutcomeKind? = nil, limit: Int = PageMark.countMax
  ) {
    self.job = job
    self.outcome = outcome
    self.limit = limit
  }
}
