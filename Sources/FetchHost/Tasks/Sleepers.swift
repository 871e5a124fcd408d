import FetchValues

/// The sleeping tasks and the times when their sleeps end, in nanoseconds of the timers' clock.
struct Sleepers {
  typealias Sleeper = CheckedContinuation<Void, Never>

  private var deadlines = IndexedHeap<UInt64>()
  private var positions: [Int32] = []
  private var sleepers: [Sleeper?] = []
  private var free: [Int32] = []

  /// The end of the earliest sleep; nil if no task sleeps.
  var first: UInt64? { deadlines.first?.key }

  /// Returns a number for a new sleep. No other sleep receives this number before `giveBack`.
  mutating func takeNumber() -> Int32 {
    if let number = free.popLast() { return number }
    sleepers.append(nil)
    positions.append(IndexedHeap<UInt64>.nowhere)
    return Int32(sleepers.count - 1)
  }

  mutating func giveBack(_ number: Int32) { free.append(number) }

  mutating func add(_ sleeper: Sleeper, _ number: Int32, until deadline: UInt64) {
    sleepers[Int(number)] = sleeper
    deadlines.push(number, key: deadline, &positions)
  }

  /// Removes and returns the task with the given number; nil if its sleep has not begun or is over.
  mutating func remove(_ number: Int32) -> Sleeper? {
    guard positions[Int(number)] != IndexedHeap<UInt64>.nowhere else { return nil }
    deadlines.remove(number, &positions)
    return take(number)
  }

  /// Removes and returns the sleeps that are over, in order of their ends.
  mutating func removeDue(_ now: UInt64) -> [Sleeper] {
    var due: [Sleeper] = []
    while let first = deadlines.first, first.key <= now {
      if let sleeper = remove(first.number) { due.append(sleeper) }
    }
    return due
  }

  private mutating func take(_ number: Int32) -> Sleeper? {
    defer { sleepers[Int(number)] = nil }
    return sleepers[Int(number)]
  }
}
