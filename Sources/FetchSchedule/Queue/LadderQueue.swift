import FetchValues

/// A priority queue of numbers by time, for very many entries. It is used like an `IndexedHeap` and
/// has the same order. The cost of an operation hardly depends on the number of entries.
///
/// It is a ladder queue (Tang, Goh, Thng 2005) with the widths of a hierarchical timing wheel
/// (Varghese, Lauck 1987). The next entries are in a heap. All later entries are in buckets,
/// unsorted. A bucket of level 0 is as wide as the key's unit. A bucket of each higher level is 64
/// times as wide as a bucket of the level below. When the heap is empty, the first bucket is split
/// until its first part is small enough, or cannot be split. This part becomes the heap, together
/// with the next buckets that fit. An entry moves down at most once per level.
///
/// An entry whose time is before the end of the heap's bucket goes into the heap. If nothing can be
/// split, as with a single time, the queue is a plain heap.
struct LadderQueue: Sendable {
  typealias Entry = IndexedHeap<Int64>.Entry

  private var near = IndexedHeap<Int64>()
  private var far = EntryLists(count: levelCount << digitBits)
  /// One bit for each bucket of each level. The bit is set if the bucket is not empty.
  private var filled = [UInt64](repeating: 0, count: levelCount)
  private(set) var count = 0
  private var isRenewed = false
  /// The start time of the last bucket that was moved into the heap. `level` is the level of that
  /// bucket. At first, and when the queue has become empty, `base` is 0 and `level` is
  /// `levelCount`, as for one bucket of all times. For an entry outside the heap, the level of its
  /// bucket is the highest base-64 digit in which the entry's time differs from `base`.
  private var base: UInt64 = 0
  private var level = levelCount
  /// The number of entries above which the heap is spread over buckets.
  private var nearMax = heapCountMax << 1

  private static let digitBits = 6
  private static let digitMask: UInt64 = 1 << digitBits - 1
  private static let levelCount = (64 + digitBits - 1) / digitBits
  /// The maximum number of entries that are moved into the heap at once, so that these entries and
  /// their rows fit into the cache. A bucket of level 0 may have more entries, because it cannot be
  /// split.
  private static let heapCountMax = 256

  var isEmpty: Bool { count == 0 }
  var first: Entry? { near.first }

  /// Returns the numbers in the heap on the first call after the heap was filled. The caller can
  /// then preload the rows of these numbers. Returns an empty list on other calls, or if the heap
  /// has more than `heapCountMax` numbers.
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

  /// Moves the entries of the first buckets into the heap. `base` becomes the start time of the
  /// last bucket that was moved, or 0 if all buckets are empty.
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

  /// Moves the first bucket into the heap. If the bucket is too large and can be split, only its
  /// first part is moved.
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

  /// Splits the bucket that was last moved into the heap, if it can be split, and moves its first
  /// part back. Entries that are earlier than this bucket stay in the heap.
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

/// Several unordered lists of a queue's entries. Each list grows and shrinks at its end. All lists
/// share one array of blocks. A block that a list no longer needs can be used by any list.
///
/// As in `IndexedHeap`, the caller's table contains the position of each entry by the entry's
/// number. Any entry can therefore be removed in constant time.
struct EntryLists: Sendable {
  typealias Entry = IndexedHeap<Int64>.Entry

  struct Block {
    var list: Int32
    /// The index of the previous block in the same list or in the list of free blocks.
    var previous: Int32
  }

  private struct End {
    var block = none
    var count: Int32 = 0
  }

  private var entries: [Entry] = []
  private(set) var blocks: [Block] = []
  private var ends: [End]
  private var free = none

  private static let none: Int32 = -1
  private static let blockBits = 4
  private static let blockCount = 1 << blockBits

  init(count: Int) { ends = Array(repeating: End(), count: count) }

  func count(of list: Int) -> Int { Int(ends[list].count) }

  mutating func append(_ entry: Entry, to list: Int, _ positions: inout [Int32]) {
    let offset = Int(ends[list].count) & (Self.blockCount - 1)
    if offset == 0 { addBlock(to: list) }
    ends[list].count += 1
    let index = Int(ends[list].block) << Self.blockBits + offset
    entries[index] = entry
    positions[Int(entry.number)] = Self.place(index)
  }

  /// Removes and returns the last entry of a list; nil if the list is empty. The caller must update
  /// the table of positions.
  mutating func popLast(of list: Int) -> Entry? {
    guard ends[list].count > 0 else { return nil }
    ends[list].count -= 1
    let offset = Int(ends[list].count) & (Self.blockCount - 1)
    let block = Int(ends[list].block)
    if offset == 0 {
      ends[list].block = blocks[block].previous
      blocks[block].previous = free
      free = Int32(truncatingIfNeeded: block)
    }
    return entries[block << Self.blockBits + offset]
  }

  /// Removes the entry at a place and returns the index of its list.
  mutating func remove(at place: Int32, _ positions: inout [Int32]) -> Int {
    let index = Self.index(place)
    let list = Int(blocks[index >> Self.blockBits].list)
    positions[Int(entries[index].number)] = IndexedHeap<Int64>.nowhere
    if let last = popLast(of: list), last.number != entries[index].number {
      entries[index] = last
      positions[Int(last.number)] = place
    }
    return list
  }

  private mutating func addBlock(to list: Int) {
    var block = free
    if block == Self.none {
      block = Int32(truncatingIfNeeded: blocks.count)
      blocks.append(Block(list: 0, previous: Self.none))
      let blank = Entry(key: 0, number: Self.none)
      entries.append(contentsOf: repeatElement(blank, count: Self.blockCount))
    } else {
      free = blocks[Int(block)].previous
    }
    blocks[Int(block)] = Block(list: Int32(truncatingIfNeeded: list), previous: ends[list].block)
    ends[list].block = block
  }

  // MARK: Places

  /// Returns the place for an index. A place is below -1, because places in a heap are 0 or higher,
  /// and -1 means no place.
  private static func place(_ index: Int) -> Int32 { -2 - Int32(truncatingIfNeeded: index) }
  private static func index(_ place: Int32) -> Int { -2 - Int(place) }
  static func isPlace(_ place: Int32) -> Bool { place < -1 }
}
