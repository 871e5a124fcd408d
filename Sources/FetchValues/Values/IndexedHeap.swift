/// A queue of small numbers by key, in which each can also be moved and removed in O(log n).
///
/// Four children a node: half as deep as a binary heap, and the children that are compared stand
/// in one or two cache lines, since the keys are kept beside the numbers. The first stands apart:
/// whoever waits alone, as in most lanes, needs no room on the heap of the program. Where a number
/// stands is kept in a table given from outside, so that several heaps that never hold the same
/// number at once can share one. Equal keys come out by number: the order is the same on every
/// machine. Public for the reason that `ByteBlock` gives.
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
  /// Node 0 is the first, node n is here at n - 1; the children of node n are 4n + 1 ... 4n + 4.
  @usableFromInline var others: [Entry] = []

  @inlinable public init() {}

  /// What the table of positions holds for a number that is in no heap.
  @inlinable public static var nowhere: Int32 { -1 }

  @inlinable public var isEmpty: Bool { first == nil }
  @inlinable public var count: Int { first == nil ? 0 : 1 + others.count }
  /// In no order that means anything.
  @inlinable public var numbers: [Int32] {
    (first.map { [$0.number] } ?? []) + others.map(\.number)
  }

  /// In no order that means anything; what stands in the table for them is left to the caller.
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

  /// The number must be in this heap.
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

  /// The number must be in this heap.
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

  /// The least of four siblings, of which the first is given; that one where there is none.
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
