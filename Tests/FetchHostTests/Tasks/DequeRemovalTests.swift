import DequeModule
import Testing

@testable import FetchHost

@Suite struct DequeRemovalTests {
  @Test func `the first matching element is removed, wherever the storage begins`() {
    var line: Deque = [1, 2, 3]
    line.prepend(0)
    #expect(line.removeFirst { $0 > 1 } == 2)
    #expect(line.removeFirst { $0 > 3 } == nil)
    #expect(line == [0, 1, 3])
    #expect(line.removeFirst { $0 == 0 } == 0)
    #expect(line.removeFirst { $0 == 3 } == 3)
    #expect(line == [1])
  }
}
