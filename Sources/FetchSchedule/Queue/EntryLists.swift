import FetchValues

/// Several unordered lists of a queue's entries, which grow and shrink at their ends. All lists
/// share one array of blocks. When a list no longer needs a block, the next list that grows uses
/// the block.
///
/// As in `IndexedHeap`, the caller's table has the place of each number, so that any entry can be
/// removed in constant time.
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

  /// Removes the last entry of a list. The caller must update the table of positions.
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

  /// Returns the place for an index. A place is below -1, so that it differs from a place in a heap
  /// and from -1, which means no place.
  private static func place(_ index: Int) -> Int32 { -2 - Int32(truncatingIfNeeded: index) }
  private static func index(_ place: Int32) -> Int { -2 - Int(place) }
  static func isPlace(_ place: Int32) -> Bool { place < -1 }
}
