/// The progress of retention through a store. Each small step is a separate transaction, so that no
/// commit of a run waits long.
struct RetentionSweep: Equatable, Sendable {
  enum Part: Int, CaseIterable, Sendable {
    case answers
    case runs
    case transfers
    case deliveries
    case origins
    case versions
    /// The items, which are checked in two passes for each job. The first pass finds the time of
    /// the source's last item. The second pass removes the expired items.
    case items
  }

  var part = Part.answers
  /// Whether the sweep keeps less than the rule allows because space is short.
  let isPressed: Bool
  /// The number of the last checked row, in the parts that are checked in the order of row numbers.
  var number: Int64 = 0
  /// The job of the last checked item.
  var job: Int64 = 0
  var key = ""
  /// The latest time at which the source of `job` showed one of the checked items.
  var newest: Int64?
  /// The earliest of the times at which the source of `job` last showed an item that may be
  /// removed.
  var oldest: Int64?
  /// Whether all items of `job` were checked once. The second pass then removes the expired items.
  var isSecondTime = false
  /// The number of rows that the sweep has removed.
  var removedCount = 0

  init(isPressed: Bool) { self.isPressed = isPressed }

  /// The maximum number of rows that one step checks. A step delays the commits that wait for it,
  /// so it should take less than 10 ms. At the 99th percentile, a step takes 2.7 ms of CPU time in
  /// a debug build (measured). The rest is an fsync.
  static let rowsMax = 200
  /// The maximum number of bytes of content that a step removes before it ends. It is needed
  /// because SQLite reads content to remove it.
  static let bytesMax = 256 << 10
  /// The maximum number of kept answers that one step removes. Each entry has up to 4 MiB.
  static let answersMax = 1

  /// Advances to the next part of the store. Returns false after the last part.
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
