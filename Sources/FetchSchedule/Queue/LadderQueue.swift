import FetchValues

/// A priority queue of numbers by time, for very many entries. It has the interface and order of an
/// `IndexedHeap`, but the cost of a step hardly depends on the number of entries.
///
/// It is a ladder queue (Tang, Goh, Thng 2005) with the widths of a hierarchical timing wheel
/// (Varghese, Lauck 1987). The next entries are in a heap that fits the cache; all later ones are
/// unsorted in buckets. A bucket of level 0 is as wide as the key's unit; each level above is 64
/// times as wide. When the heap is empty, the first bucket is split over the levels below until it
/// is small enough, and then becomes the heap. An entry thus moves at most once per level, which is
/// six times for a year in milliseconds.
///
/// Times before the end of the heap's bucket go into the heap, even past ones. If nothing can be
/// split, as with a single time or a clock that was set far back, the queue is a plain heap.
struct LadderQueue: Sendable {
  typealias Entry = IndexedHeap<Int64>.Entry

  private var near = IndexedHeap<Int64>()
  private var far = EntryLists(count: levelCount << digitBits)
  /// One bit for each bucket of each level, which is set if the bucket is not empty.
  private var filled = [UInt64](repeating: 0, count: levelCount)
  private(set) var count = 0
  private var isRenewed = false
  /// The start time of the last bucket that was moved into the heap. `level` is the level of that
  /// bucket. A later entry is in the bucket that belongs to the highest digit in which its time
  /// differs from `base`.
  private var base: UInt64 = 0
  private var level = levelCount
  /// The number of entries above which the heap is spread over buckets.
  private var nearMax = heapCountMax << 1

  private static let digitBits = 6
  private static let digitMask: UInt64 = 1 << digitBits - 1
  private static let levelCount = (64 + digitBits - 1) / digitBits
  /// The maximum number of entries that are moved into the heap together, so that these entries and
  /// their rows fit into the cache.
  private static let heapCountMax = 256

  var isEmpty: Bool { count == 0 }
  var first: Entry? { near.first }

  /// Returns the numbers in the heap once after each time that it was filled, so that callers can
  /// preload their rows. Returns an empty list at other times, or if there are too many numbers.
  mutating func takeUpcoming() -> [Int32] {
    defer { isRenewed = false }
    return isRenewed && near.count <= Self.heapCountMax ? near.numbers : []
  }

  mutating func push(_ number: Int32, key: Int64, _ positions: inout [Int32]) {
    count += 1
    let entry = Entry(key: key, number: number)
    guard isNear(key) else {
      return put(entry, at: Self.level(of: Self.ordered(key), from: base), &positions)
    }
    near.push(number, key: key, &positions)
    if near.count > nearMax { spread(&positions) }
  }

  mutating func popFirst(_ positions: inout [Int32]) -> Entry? {
    guard let first = near.first else { return nil }
    remove(first.number, &positions)
    return first
  }

  /// Removes a number. The number must be in this queue.
  mutating func remove(_ number: Int32, _ positions: inout [Int32]) {
    count -= 1
    let place = positions[Int(number)]
    if EntryLists.isPlace(place) {
      let list = far.remove(at: place, &positions)
      if far.count(of: list) == 0 { noteEmpty(list) }
    } else {
      near.remove(number, &positions)
      if near.isEmpty { advance(&positions) }
    }
  }

  /// Changes the time of a number. The number must be in this queue.
  mutating func move(_ number: Int32, to key: Int64, _ positions: inout [Int32]) {
    if !EntryLists.isPlace(positions[Int(number)]), isNear(key) {
      near.move(number, to: key, &positions)
    } else {
      remove(number, &positions)
      push(number, key: key, &positions)
    }
  }

  // MARK: Buckets

  /// Fills the heap from the first buckets. The last bucket that was used becomes the base.
  private mutating func advance(_ positions: inout [Int32]) {
    if firstList == nil { rebase(to: 0, at: Self.levelCount) }
    while let list = firstList {
      take(list, &positions)
      guard let next = firstList, near.count + far.count(of: next) <= Self.heapCountMax else {
        break
      }
    }
    nearMax = max(Self.heapCountMax, near.count) << 1
    isRenewed = true
  }

  /// Moves the first bucket into the heap. If it has too many entries, only its first part is
  /// moved.
  private mutating func take(_ first: Int, _ positions: inout [Int32]) {
    var list = first
    while far.count(of: list) > Self.heapCountMax, list >> Self.digitBits > 0 {
      let level = list >> Self.digitBits - 1
      while let entry = far.popLast(of: list) { put(entry, at: level, &positions) }
      noteEmpty(list)
      list = firstList ?? list
    }
    noteEmpty(list)
    while let entry = far.popLast(of: list) {
      rebase(to: Self.ordered(entry.key), at: list >> Self.digitBits)
      near.push(entry.number, key: entry.key, &positions)
    }
  }

  /// Splits the heap's own bucket if possible. Entries before that bucket stay in the heap.
  private mutating func spread(_ positions: inout [Int32]) {
    let entries = level > 0 ? near.removeAll() : []
    for entry in entries {
      if Self.ordered(entry.key) < base {
        near.push(entry.number, key: entry.key, &positions)
      } else {
        put(entry, at: level - 1, &positions)
      }
    }
    if near.count < entries.count { advance(&positions) }
    nearMax = max(Self.heapCountMax, near.count) << 1
  }

  private mutating func put(_ entry: Entry, at level: Int, _ positions: inout [Int32]) {
    let slot = Int(Self.ordered(entry.key) >> Self.shift(level) & Self.digitMask)
    filled[level] |= 1 << UInt64(slot)
    far.append(entry, to: level << Self.digitBits + slot, &positions)
  }

  private mutating func noteEmpty(_ list: Int) {
    filled[list >> Self.digitBits] &= ~(1 << (UInt64(list) & Self.digitMask))
  }

  /// The index of the first bucket that is not empty; nil if all buckets are empty.
  private var firstList: Int? {
    guard let level = filled.firstIndex(where: { $0 != 0 }) else { return nil }
    return level << Self.digitBits + filled[level].trailingZeroBitCount
  }

  // MARK: Widths

  private mutating func rebase(to key: UInt64, at level: Int) {
    self.level = level
    base = (key >> Self.shift(level)) << Self.shift(level)
  }

  private func isNear(_ key: Int64) -> Bool {
    Self.ordered(key) >> Self.shift(level) <= base >> Self.shift(level)
  }

  private static func level(of key: UInt64, from base: UInt64) -> Int {
    (UInt64.bitWidth - 1 - (key ^ base).leadingZeroBitCount) / digitBits
  }

  private static func shift(_ level: Int) -> UInt64 { UInt64(level * digitBits) }

  /// Returns an unsigned key that has the same order as the signed key.
  private static func ordered(_ key: Int64) -> UInt64 { UInt64(bitPattern: key) ^ 1 << 63 }
}
