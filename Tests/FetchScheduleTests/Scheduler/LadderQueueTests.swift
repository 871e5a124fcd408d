import FetchTestSupport
import FetchValues
import Testing

@testable import FetchSchedule

@Suite struct LadderQueueTests {
  /// The distributions of due times, by the step in which a time is drawn.
  enum Times: CaseIterable {
    case oneInstant, fewInstants, hours, years, anyNumber, later, earlier, jumps, mostlyPassed

    func draw(_ step: Int, _ chance: inout SeededGenerator) -> Int64 {
      let now = 1_795_168_800_000 + Int64(step) * 40
      switch self {
      case .oneInstant: return now - Int64(step) * 40
      case .fewInstants: return Int64(chance.below(3) - 1) << 40
      case .hours: return now + Int64(chance.below(86_400_000))
      case .years: return now + Int64(chance.below(1 << 41)) >> Int64(chance.below(41))
      case .anyNumber: return Int64(bitPattern: chance.next()) >> Int64(chance.below(64))
      case .later: return now + Int64(step) * 1000
      case .earlier: return now - Int64(step) * 1000
      case .jumps: return now + Int64(step / 700 % 5 - 2) << 36 + Int64(chance.below(1_000_000))
      case .mostlyPassed: return now - Int64(chance.below(20) == 0 ? 0 : 1 << 38 + chance.below(9))
      }
    }
  }

  @Test(arguments: Times.allCases, [1, 2, 3] as [UInt64])
  func `numbers are taken in the order of a sorted list, after any moves and removals`(
    times: Times, seed: UInt64
  ) {
    var chance = SeededGenerator(seed: seed)
    var rig = QueueRig(numbers: 2500)
    for step in 0..<24_000 {
      let number = Int32(chance.below(2500))
      let isGrowing = step / 4000 % 2 == 0
      switch (rig.holds(number), chance.below(isGrowing ? 5 : 3)) {
      case (false, 0), (true, 0): rig.popFirst()
      case (false, _):
        if isGrowing || chance.isOnce(in: 4) { rig.push(number, times.draw(step, &chance)) }
      case (true, 1): rig.remove(number)
      case (true, _): rig.move(number, times.draw(step, &chance))
      }
    }
    rig.drain()
  }

  @Test func `the smallest and the largest time are handled`() {
    var rig = QueueRig(numbers: 2000)
    for number in 0..<2000 {
      rig.push(Int32(number), [.min, .max, 0, -1, 1, .min + 1, .max - 1][number % 7])
    }
    rig.drain()
  }

  @Test func `an emptied queue accepts times before and after its earlier ones`() {
    var rig = QueueRig(numbers: 1000)
    for round in [4, 3, 0, 5, 1] as [Int64] {
      for number in 0..<1000 {
        rig.push(Int32(number), round << 40 + Int64(number % 700) << 20)
      }
      rig.drain()
    }
  }

  @Test func `a bucket whose numbers were all removed is skipped`() {
    var rig = QueueRig(numbers: 1000)
    // The first numbers fill the heap, the second ones are removed, and the third ones exceed the
    // heap.
    for number in 0..<256 { rig.push(Int32(number), Int64(number)) }
    for number in 256..<260 { rig.push(Int32(number), 1 << 30) }
    for number in 260..<1000 { rig.push(Int32(number), 1 << 40 + Int64(number) << 20) }
    for number in 256..<260 { rig.remove(Int32(number)) }
    rig.drain()
  }

  @Test func `the next numbers are reported once, when their bucket becomes the heap`() {
    var queue = LadderQueue()
    var positions = [Int32](repeating: -1, count: 5000)
    for number in 0..<5000 {
      queue.push(Int32(number), key: Int64(number) << 12, &positions)
    }
    var told: Set<Int32> = []
    var count = 0
    while let first = queue.first {
      let upcoming = queue.takeUpcoming()
      #expect(queue.takeUpcoming().isEmpty)
      told.formUnion(upcoming)
      count += upcoming.count
      #expect(told.contains(first.number))
      queue.remove(first.number, &positions)
    }
    #expect(told.count == 5000 && count == 5000)
  }

  @Test func `the space of shrinking lists is used by other lists`() {
    var lists = EntryLists(count: 8)
    var positions = [Int32](repeating: -1, count: 500)
    var most = 0
    for round in 0..<40 {
      for number in 0..<500 {
        lists.append(.init(key: 0, number: Int32(number)), to: (round + number) % 8, &positions)
      }
      most = max(most, lists.blocks.count)
      for number in 0..<250 { _ = lists.remove(at: positions[number * 2], &positions) }
      for list in 0..<8 { while lists.popLast(of: list) != nil {} }
    }
    // The 500 entries are in blocks of 16. Each of the 8 lists has at most one more block, which is
    // incomplete.
    #expect(most <= 500 / 16 + 8)
  }
}

/// A queue that is compared with a sorted list.
private struct QueueRig {
  private var queue = LadderQueue()
  private var positions: [Int32]
  private var keys: [Int64?]
  private var sorted: [Item] = []

  private struct Item: Comparable {
    var key: Int64
    var number: Int32

    static func < (left: Item, right: Item) -> Bool {
      (left.key, left.number) < (right.key, right.number)
    }
  }

  init(numbers: Int) {
    positions = Array(repeating: -1, count: numbers)
    keys = Array(repeating: nil, count: numbers)
  }

  func holds(_ number: Int32) -> Bool { keys[Int(number)] != nil }

  mutating func push(_ number: Int32, _ key: Int64) {
    queue.push(number, key: key, &positions)
    note(number, key)
    check()
  }

  mutating func move(_ number: Int32, _ key: Int64) {
    queue.move(number, to: key, &positions)
    forget(number)
    note(number, key)
    check()
  }

  mutating func remove(_ number: Int32) {
    queue.remove(number, &positions)
    #expect(positions[Int(number)] == -1)
    forget(number)
    check()
  }

  mutating func popFirst() {
    let first = queue.popFirst(&positions)
    #expect(first?.number == sorted.first?.number && first?.key == sorted.first?.key)
    if let first { forget(first.number) }
    check()
  }

  mutating func drain() {
    while !sorted.isEmpty { popFirst() }
    #expect(queue.isEmpty && positions.allSatisfy { $0 == -1 })
  }

  private func check() {
    let isSame =
      queue.first?.number == sorted.first?.number && queue.first?.key == sorted.first?.key
      && queue.count == sorted.count
    if !isSame { #expect(queue.first?.number == sorted.first?.number) }
    if !isSame { #expect(queue.first?.key == sorted.first?.key && queue.count == sorted.count) }
  }

  private mutating func note(_ number: Int32, _ key: Int64) {
    let item = Item(key: key, number: number)
    sorted.insert(item, at: place(of: item))
    keys[Int(number)] = key
  }

  private mutating func forget(_ number: Int32) {
    guard let key = keys[Int(number)] else { return }
    sorted.remove(at: place(of: Item(key: key, number: number)))
    keys[Int(number)] = nil
  }

  /// Returns the item's index in `sorted`, or the index at which it must be inserted.
  private func place(of item: Item) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < item { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
