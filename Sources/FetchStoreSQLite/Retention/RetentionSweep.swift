/// The progress of retention through a store. Each small step is its own transaction, so that no
/// commit of a run waits long.
struct RetentionSweep: Equatable, Sendable {
  enum Part: Int, CaseIterable, Sendable {
    case answers
    case runs
    case transfers
    case deliveries
    case origins
    case versions
    /// Each job in two passes: first the time of the source's last item, then the expired items.
    case items
  }

  var part = Part.answers
  /// Whether it keeps less than the rule, for lack of space.
  let isPressed: Bool
  /// The last checked row, for parts in the order of row numbers.
  var number: Int64 = 0
  /// The last checked item.
  var job: Int64 = 0
  var key = ""
  /// The latest time at which the source of `job` showed one of the checked items.
  var newest: Int64?
  /// The oldest time at which it showed an item that may be removed.
  var oldest: Int64?
  /// Whether all items of `job` were checked once; the second pass removes the expired ones.
  var isSecondTime = false
  /// The number of removed rows.
  var removedCount = 0

  init(isPressed: Bool) { self.isPressed = isPressed }

  /// The rows that one step checks. A step delays the commits behind it, so it should take less
  /// than 10 ms. Measured: 2.7 ms of CPU time at the 99th percentile in a debug build; the rest is
  /// an fsync.
  static let rowsMax = 200
  /// The content that one step removes, because SQLite reads content to remove it.
  static let bytesMax = 256 << 10
  /// The kept answers that one step removes; each has up to 4 MiB.
  static let answersMax = 1

  /// Advances to the next part; returns false after the last.
  mutating func next() -> Bool {
    guard let next = Part(rawValue: part.rawValue + 1) else { return false }
    part = next
    number = 0
    beginJob(0)
    return true
  }

  mutating func beginJob(_ job: Int64) {
    self.job = job
    key = ""
    newest = nil
    oldest = nil
    isSecondTime = false
  }
}
