import FetchTestSupport
import Testing

@testable import FetchValues

@Suite struct IndexedHeapTests {
  @Test func `numbers are taken in the order of their keys, after any moves and removals`() {
    var chance = SeededGenerator(seed: 3)
    var heap = IndexedHeap<Int64>()
    var positions = [Int32](repeating: -1, count: 300)
    var expected: [Int32: Int64] = [:]
    for _ in 0..<5_000 {
      let number = Int32(chance.below(300))
      let key = Int64(chance.below(100))
      switch (expected[number], chance.below(3)) {
      case (nil, _):
        heap.push(number, key: key, &positions)
        expected[number] = key
      case (_, 0):
        heap.remove(number, &positions)
        expected[number] = nil
        #expect(positions[Int(number)] == -1)
      case (_, 1):
        heap.move(number, to: key, &positions)
        expected[number] = key
      default:
        let least = expected.min { ($0.value, $0.key) < ($1.value, $1.key) }
        let first = heap.popFirst(&positions)
        #expect(first?.number == least?.key && first?.key == least?.value)
        if let first { expected[first.number] = nil }
      }
      #expect(heap.count == expected.count)
    }
  }
}
