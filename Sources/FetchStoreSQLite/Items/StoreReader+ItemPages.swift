package import FetchModel
package import FetchStore
import FetchValues

/// The queries that return items in pages. The items of a query are sorted at most once for all of
/// its pages.
extension StoreReader {
  package func items(
    _ query: ItemQuery, after mark: PageMark?
  ) throws(StoreError) -> Page<StoredItem> {
    try read { db in
      switch mark {
      case .items(let heads): return try Self.page(heads, of: query.job, db)
      case .sequence(let last, let left): return try Self.page(query, db, from: last, left)
      case nil, .row: break
      }
      // The newest versions of one job's items are sorted once for all pages.
      let isSorted = query.since == nil && query.job != nil
      if isSorted, query.limit.map({ $0 > PageMark.countMax }) ?? true {
        return try Self.page(try Self.heads(query, db)[...], of: query.job, db)
      }
      return try Self.page(query, db, from: query.since ?? query.before, query.limit)
    }
  }

  /// Returns all items that a query selects. Use this function only if all of these items fit in
  /// memory.
  package func items(_ query: ItemQuery) throws(StoreError) -> [StoredItem] {
    var page = try items(query, after: nil)
    var all = page.elements
    while let next = page.next {
      page = try items(query, after: next)
      all += page.elements
    }
    return all
  }

  /// Returns a page of the items that a query selects.
  ///
  /// - Parameters:
  ///   - last: the last sequence number that was read. Before the first page, it is `since` or
  ///     `before` of the query; nil begins with the newest item.
  ///   - left: the maximum number of further items; nil for all items.
  private static func page(
    _ query: ItemQuery, _ db: SQLConnection, from last: Int64?, _ left: Int?
  ) throws -> Page<StoredItem> {
    let count = min(left ?? .max, PageMark.countMax)
    if query.since == nil, let job = query.job,
      let items = try recent(job, before: last ?? .max, count, db)
    {
      return next(after: items, left)
    }
    let row = try SQLStatement(db, query.since == nil ? current(query) : log(query))
    row.bind(1, last ?? .max)
    row.bind(2, count)
    if let job = query.job { row.bind(3, job) }
    defer { row.reset() }
    var items: [StoredItem] = []
    items.reserveCapacity(min(count, PageMark.countMax))
    var bytesLeft = ReadBounds.pageBytesMax
    while bytesLeft > 0, try row.step() { items.append(item(row, &bytesLeft)) }
    return items.count == count || bytesLeft <= 0 ? next(after: items, left) : Page(items)
  }

  /// Returns the item in a row, and subtracts the size of its fields from `bytesLeft`.
  private static func item(
    _ row: SQLStatement, of job: JobName? = nil, _ bytesLeft: inout Int
  ) -> StoredItem {
    let item = Self.item(row, of: job)
    bytesLeft -= item.fieldsJSON.utf8.count
    return item
  }

  /// Returns a page that may have a next page. The next page begins after its last item, unless
  /// `left` items were wanted and the page has all of them.
  private static func next(after items: [StoredItem], _ left: Int?) -> Page<StoredItem> {
    let rest = left.map { $0 - items.count }
    guard rest != 0, let end = items.last?.sequence else { return Page(items) }
    return Page(items, next: .sequence(end, left: rest))
  }

  /// The number of recent changes, of all jobs, among which a job's newest items are searched
  /// first. Sorting all items takes 25 ms for a job with 100,000 items.
  private static let recentMax = 2_000

  /// Returns the newest `count` present items of a job before the sequence number `last`, or fewer
  /// if these reach `ReadBounds.pageBytesMax`. Returns nil if the last `recentMax` changes before
  /// `last` do not contain all of these items.
  private static func recent(
    _ job: JobName, before last: Int64, _ count: Int, _ db: SQLConnection
  ) throws -> [StoredItem]? {
    let row = try SQLStatement(
      db,
      """
      SELECT \(columns) FROM
        (SELECT sequence AS head, job AS owner FROM changes WHERE sequence < ?1
          ORDER BY sequence DESC LIMIT \(recentMax))
        CROSS JOIN changes ON changes.sequence = head
        CROSS JOIN items ON items.job = owner AND items.key = changes.key
          AND items.sequence = head
        CROSS JOIN jobs ON jobs.id = owner
      WHERE owner = (SELECT id FROM jobs WHERE name = ?2)
        AND items.presence = \(KnownItem.Presence.present.rawValue)
      """)
    row.bind(1, last)
    row.bind(2, job)
    defer { row.reset() }
    var items: [StoredItem] = []
    var bytesLeft = ReadBounds.pageBytesMax
    while items.count < count, bytesLeft > 0, try row.step() {
      let item = item(row, &bytesLeft)
      // SQLite does not guarantee that the outer query keeps the order of the inner query.
      if let previous = items.last, previous.sequence <= item.sequence { return nil }
      items.append(item)
    }
    return items.count == count || bytesLeft <= 0 ? items : nil
  }

  /// Returns the first page of the items whose newest versions have the given sequence numbers.
  /// Leaves out versions that no longer exist.
  private static func page(
    _ heads: ArraySlice<Int64>, of job: JobName?, _ db: SQLConnection
  ) throws -> Page<StoredItem> {
    let page = heads.prefix(PageMark.countMax)
    var rest = heads.dropFirst(PageMark.countMax)
    guard let first = page.first, let last = page.last else { return Page([]) }
    let isDense = (0..<Int64(page.count) * changesPerHeadMax).contains(first &- last)
    let items = isDense ? try scanned(page, of: job, db) : try looked(up: page, of: job, db)
    if items.fieldsByteCount >= ReadBounds.pageBytesMax, let end = items.last?.sequence {
      rest = heads.drop { $0 >= end }
    }
    return Page(items, next: rest.isEmpty ? nil : .items(rest))
  }

  /// The maximum average distance in the log between the heads (newest versions) of a page. Up to
  /// this distance, all changes between the heads are read in sequence. At a larger distance, each
  /// head is looked up. A look-up takes a third of a microsecond longer than a step in sequence.
  private static let changesPerHeadMax: Int64 = 8

  /// The columns in `columns` with NULL instead of the job's name, which the caller already has.
  private static let ownColumns = columns.replacing("jobs.name", with: "NULL")

  private static func scanned(
    _ heads: ArraySlice<Int64>, of job: JobName?, _ db: SQLConnection
  ) throws -> [StoredItem] {
    let row = try SQLStatement(
      db,
      """
      SELECT \(ownColumns) FROM changes WHERE sequence BETWEEN ?1 AND ?2 ORDER BY sequence DESC
      """)
    row.bind(1, heads.last)
    row.bind(2, heads.first)
    defer { row.reset() }
    var items: [StoredItem] = []
    items.reserveCapacity(heads.count)
    var left = heads
    var bytesLeft = ReadBounds.pageBytesMax
    while let head = left.first, bytesLeft > 0, try row.step() {
      let sequence = row.integer(0)
      if sequence > head { continue }
      // Versions that were pruned after the first page was read are skipped.
      while let head = left.first, head > sequence { left.removeFirst() }
      if left.first == sequence {
        items.append(item(row, of: job, &bytesLeft))
        left.removeFirst()
      }
    }
    return items
  }

  private static func looked(
    up heads: ArraySlice<Int64>, of job: JobName?, _ db: SQLConnection
  ) throws -> [StoredItem] {
    let row = try SQLStatement(db, "SELECT \(ownColumns) FROM changes WHERE sequence = ?")
    var items: [StoredItem] = []
    items.reserveCapacity(heads.count)
    var bytesLeft = ReadBounds.pageBytesMax
    for head in heads where bytesLeft > 0 {
      row.bind(1, head)
      if try row.step() { items.append(item(row, of: job, &bytesLeft)) }
      row.reset()
    }
    return items
  }

  /// Returns the sequence numbers of the newest versions of the present items that a query selects,
  /// newest first. The query must name a job.
  private static func heads(_ query: ItemQuery, _ db: SQLConnection) throws -> [Int64] {
    let row = try SQLStatement(
      db,
      """
      SELECT items.sequence FROM jobs CROSS JOIN items ON items.job = jobs.id
      WHERE jobs.name = ?1 AND items.presence = \(KnownItem.Presence.present.rawValue)
        AND items.sequence < ?3
      ORDER BY items.sequence DESC LIMIT ?2
      """)
    row.bind(1, query.job)
    row.bind(2, query.limit ?? -1)
    row.bind(3, query.before ?? .max)
    defer { row.reset() }
    var heads: [Int64] = []
    while try row.step() { heads.append(row.integer(0)) }
    return heads
  }

  private static func log(_ query: ItemQuery) -> String {
    """
    SELECT \(columns) FROM changes JOIN jobs ON jobs.id = changes.job
    WHERE changes.sequence > ?1 AND changes.kind <> \(ChangeKind.baseline.rawValue)
      \(query.job == nil ? "" : "AND jobs.name = ?3")
    ORDER BY changes.sequence LIMIT ?2
    """
  }

  /// Returns the SQL query for present items. For one job, it sorts the newest versions of the
  /// job's items. For all jobs, it reads the log backwards, which needs no sorting and can stop
  /// early.
  private static func current(_ query: ItemQuery) -> String {
    guard query.job != nil else {
      return """
        SELECT \(columns) FROM changes
          JOIN items ON items.job = changes.job AND items.key = changes.key
            AND items.sequence = changes.sequence
          CROSS JOIN jobs ON jobs.id = changes.job
        WHERE items.presence = \(KnownItem.Presence.present.rawValue) AND changes.sequence < ?1
        ORDER BY changes.sequence DESC LIMIT ?2
        """
    }
    return """
      SELECT \(columns) FROM
        (SELECT items.sequence AS head FROM jobs CROSS JOIN items ON items.job = jobs.id
          WHERE jobs.name = ?3 AND items.sequence < ?1
            AND items.presence = \(KnownItem.Presence.present.rawValue)
          ORDER BY items.sequence DESC LIMIT ?2)
        CROSS JOIN changes ON changes.sequence = head
        CROSS JOIN jobs ON jobs.id = changes.job
      ORDER BY head DESC
      """
  }
}
