/// A queue of small numbers by key, in which each can also be moved and removed in O(log n).
///
/// Four children a node: half as deep as a binary heap, and the children that are compared stand
/// in one or two cache lines, since the keys are kept beside the numbers. Where a number stands is
/// kept in a table given from outside, so that several heaps that never hold the same number at
/// once can share one. Equal keys come out by number: the order is the same on every machine.
package struct IndexedHeap<Key: Comparable & Sendable>: Sendable {
  package struct Entry: Sendable {
    package var key: Key
    package var number: Int32

    static func precedes(_ left: Entry, _ right: Entry) -> Bool {
      left.key < right.key || left.key == right.key && left.number < right.number
    }
  }

  private var entries: [Entry] = []

  package init() {}

  /// What the table of positions holds for a number that is in no heap.
  package static var nowhere: Int32 { -1 }

  package var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  package var first: Entry? { entries.first }

  /// In no order that means anything; what stands in the table for them is left to the caller.
  mutating func removeAll() -> [Entry] {
    defer { entries.removeAll() }
    return entries
  }

  package mutating func push(_ number: Int32, key: Key, _ positions: inout [Int32]) {
    let entry = Entry(key: key, number: number)
    entries.append(entry)
    rise(entry, from: entries.count - 1, &positions)
  }

  package mutating func popFirst(_ positions: inout [Int32]) -> Entry? {
    guard let first = entries.first else { return nil }
    remove(first.number, &positions)
    return first
  }

  /// The number must be in this heap.
  package mutating func remove(_ number: Int32, _ positions: inout [Int32]) {
    let index = Int(positions[Int(number)])
    positions[Int(number)] = Self.nowhere
    let last = entries.removeLast()
    if index < entries.count { place(last, at: index, &positions) }
  }

  /// The number must be in this heap.
  package mutating func move(_ number: Int32, to key: Key, _ positions: inout [Int32]) {
    place(Entry(key: key, number: number), at: Int(positions[Int(number)]), &positions)
  }

  private mutating func place(_ entry: Entry, at index: Int, _ positions: inout [Int32]) {
    if index > 0, Entry.precedes(entry, entries[(index - 1) >> 2]) {
      rise(entry, from: index, &positions)
    } else {
      sink(entry, from: index, &positions)
    }
  }

  private mutating func rise(_ entry: Entry, from start: Int, _ positions: inout [Int32]) {
    var index = start
    while index > 0 {
      let parent = (index - 1) >> 2
      guard Entry.precedes(entry, entries[parent]) else { break }
      entries[index] = entries[parent]
      positions[Int(entries[index].number)] = Int32(truncatingIfNeeded: index)
      index = parent
    }
    entries[index] = entry
    positions[Int(entry.number)] = Int32(truncatingIfNeeded: index)
  }

  private mutating func sink(_ entry: Entry, from start: Int, _ positions: inout [Int32]) {
    var index = start
    let count = entries.count
    while true {
      let firstChild = index << 2 + 1
      guard firstChild < count else { break }
      var least = firstChild
      for child in firstChild + 1..<max(firstChild + 1, min(firstChild + 4, count))
      where Entry.precedes(entries[child], entries[least]) { least = child }
      guard Entry.precedes(entries[least], entry) else { break }
      entries[index] = entries[least]
      positions[Int(entries[index].number)] = Int32(truncatingIfNeeded: index)
      index = least
    }
    entries[index] = entry
    positions[Int(entry.number)] = Int32(truncatingIfNeeded: index)
  }
}
