import Testing

@testable import FetchHost

@Suite struct WaitingLineTests {
  private final class Guest {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  /// All in their order; empties the line.
  private func all(_ line: inout WaitingLine<Guest>) -> [Int] {
    var numbers: [Int] = []
    while let guest = line.popFirst() { numbers.append(guest.number) }
    return numbers
  }

  @Test func `first come, first served, and who lost a turn goes before`() {
    var line = WaitingLine<Guest>()
    #expect(line.isEmpty && line.first == nil)
    for number in 0..<5 { line.append(Guest(number)) }
    let served = [line.popFirst(), line.popFirst()].compactMap(\.self)
    #expect(served.map(\.number) == [0, 1])
    #expect(line.removeFirst { $0.number == 3 }?.number == 3)
    #expect(line.removeFirst { $0.number == 0 } == nil)
    line.prepend(served.reversed())
    #expect(line.first?.number == 1)
    #expect(all(&line) == [1, 0, 2, 4])
    #expect(line.isEmpty)
  }

  @Test func `who has had a turn is let go of, while others wait`() {
    var line = WaitingLine<Guest>()
    for number in 0..<3 { line.append(Guest(number)) }
    weak let first = line.first
    #expect(first?.number == 0)
    line.popFirst()
    #expect(first == nil)
    #expect(line.removeAll().map(\.number) == [1, 2])
    #expect(line.isEmpty)
  }

  @Test func `those behind the first can be looked at, and taken out`() {
    var line = WaitingLine<Guest>()
    #expect(line[0] == nil)
    for number in 0..<5 { line.append(Guest(number)) }
    line.popFirst()
    #expect((0..<5).map { line[$0]?.number } == [1, 2, 3, 4, nil])
    line.remove(at: 1)
    line.remove(at: 0)
    line.remove(at: 7)
    #expect(all(&line) == [3, 4])
  }

  @Test func `a line that is never empty keeps its order`() {
    var line = WaitingLine<Guest>()
    var served: [Int] = []
    for number in 0..<10_000 {
      line.append(Guest(number))
      if number > 0 { served += [line.popFirst()].compactMap { $0?.number } }
    }
    #expect(served == Array(0..<9_999))
    #expect(all(&line) == [9_999])
  }
}
