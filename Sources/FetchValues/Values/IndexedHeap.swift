/// A priority queue of small numbers, ordered by key. Each number can be moved or removed in O(log
/// n).
///
/// Nodes have four children, so the heap is half as deep as a binary heap. The keys are stored
/// beside the numbers, so a comparison of siblings reads few cache lines. The first entry is stored
/// apart, so that a heap with a single entry needs no allocation.
///
/// The caller's table `positions` contains the position of each number. Several heaps can share a
/// table if no number is in two of them. Entries with equal keys are ordered by number, so that the
/// order is the same on every machine. The type is public so that other modules can inline its
/// functions.
public struct IndexedHeap<Key: Comparable & Sendable>: Sendable {
  public struct Entry: Sendable {
    public var key: Key
    public var number: Int32

    @inlinable public init(key: Key, number: Int32) {
      self.key = key
      self.number = number
    }

    @inlinable public static func precedes(_ left: Entry, _ right: Entry) -> Bool {
      left.key < right.key || left.key == right.key && left.number < right.number
    }
  }

  public var first: Entry?
  /// The nodes of the heap after the first. Node 0 is `first`; node n has index n - 1 in this list.
  /// The children of node n are 4n + 1 ... 4n + 4.
  @usableFromInline var others: [Entry] = []

  @inlinable public init() {}

  /// The value in the table of positions for a number that is in no heap.
  @inlinable public static var nowhere: Int32 { -1 }

  @inlinable public var isEmpty: Bool { first == nil }
  @inlinable public var count: Int { first == nil ? 0 : 1 + others.count }
  /// The numbers in the heap, in no particular order.
  @inlinable public var numbers: [Int32] {
    (first.map { [$0.number] } ?? []) + others.map(\.number)
  }

  /// Removes all entries and returns them in no particular order. The caller must update the table
  /// of positions.
  @inlinable public mutating func removeAll() -> [Entry] {
    defer { (first, others) = (nil, []) }
    return (first.map { [$0] } ?? []) + others
  }

  @inlinable public mutating func push(_ number: Int32, key: Key, _ positions: inout [Int32]) {
    var entry = Entry(key: key, number: number)
    guard let least = first else { return lead(entry, &positions) }
    if Entry.precedes(entry, least) {
      lead(entry, &positions)
      entry = least
    }
    others.append(entry)
    rise(entry, from: others.count - 1, &positions)
  }

  @inlinable public mutating func popFirst(_ positions: inout [Int32]) -> Entry? {
    guard let first else { return nil }
    remove(first.number, &positions)
    return first
  }

  /// Removes a number. The number must be in this heap.
  @inlinable public mutating func remove(_ number: Int32, _ positions: inout [Int32]) {
    var index = Int(positions[Int(number)]) - 1
    positions[Int(number)] = Self.nowhere
    if index < 0 {
      index = leastChild(from: 0)
      guard index < others.count else { return first = nil }
      lead(others[index], &positions)
    }
    let last = others.removeLast()
    guard index < others.count else { return }
    if index > 3, Entry.precedes(last, others[index >> 2 - 1]) {
      rise(last, from: index, &positions)
    } else {
      sink(last, from: index, &positions)
    }
  }

  /// Changes the key of a number. The number must be in this heap.
  @inlinable public mutating func move(_ number: Int32, to key: Key, _ positions: inout [Int32]) {
    if others.isEmpty {
      first?.key = key
    } else {
      remove(number, &positions)
      push(number, key: key, &positions)
    }
  }

  @inlinable mutating func lead(_ entry: Entry, _ positions: inout [Int32]) {
    first = entry
    positions[Int(entry.number)] = 0
  }

  @inlinable mutating func rise(_ entry: Entry, from start: Int, _ positions: inout [Int32]) {
    var index = start
    while index > 3 {
      let parent = index >> 2 - 1
      guard Entry.precedes(entry, others[parent]) else { break }
      place(others[parent], at: index, &positions)
      index = parent
    }
    place(entry, at: index, &positions)
  }

  @inlinable mutating func sink(_ entry: Entry, from start: Int, _ positions: inout [Int32]) {
    var index = start
    while true {
      let least = leastChild(from: (index + 1) << 2)
      guard least < others.count, Entry.precedes(others[least], entry) else { break }
      place(others[least], at: index, &positions)
      index = least
    }
    place(entry, at: index, &positions)
  }

  /// Returns the index of the first entry in the heap's order among up to four siblings from
  /// `start` on; `start` if there are no siblings.
  @inlinable func leastChild(from start: Int) -> Int {
    var least = start
    for child in start + 1..<max(start + 1, min(start + 4, others.count))
    where Entry.precedes(others[child], others[least]) { least = child }
    return least
  }

  @inlinable mutating func place(_ entry: Entry, at index: Int, _ positions: inout [Int32]) {
    others[index] = entry
    positions[Int(entry.number)] = Int32(truncatingIfNeeded: index + 1)
  }
}
