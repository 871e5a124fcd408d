import FetchValues
import Testing

@testable import FetchHost

/// Tests of the recorded host calls, whose answers a run receives again when it is repeated after a
/// crash.
@Suite struct CallJournalTests {
  private static func checkpoint(_ state: [UInt8]) -> HostCall {
    HostCall(name: HostCall.checkpointName, arguments: state)
  }

  @Test func `checkpoints with equal states store the state once, however many there are`() {
    let state = [UInt8](repeating: 7, count: CallJournal.keptBytesMax / 4)
    var journal = CallJournal()
    for _ in 0..<100 {
      let index = journal.add(Self.checkpoint(state))
      journal.answer(index, .returns([0]))
      _ = journal.add(HostCall(name: "transfer", arguments: [1]))
    }
    #expect(!journal.isIncomplete)
    journal.rewind()
    // Each recorded call is matched once.
    for number in 0..<100 { #expect(journal.match(Self.checkpoint(state)) == 2 * number) }
    #expect(journal.match(Self.checkpoint(state)) == nil)
    #expect(journal[198] == .returns([0]))
  }

  @Test func `a journal that is too large is dropped, and its run is not repeated`() {
    var journal = CallJournal()
    for byte in 0..<5 {
      let state = [UInt8](repeating: UInt8(byte), count: CallJournal.keptBytesMax / 4)
      _ = journal.add(Self.checkpoint(state))
      #expect(journal.isIncomplete == (byte == 4))
    }
    #expect(journal.match(Self.checkpoint([])) == nil)
  }

  private static func call(_ arguments: Value) -> HostCall {
    HostCall(name: "http.request", arguments: arguments.encoded)
  }

  @Test func `a repeated call matches regardless of the order of fields, and others do not`() {
    var journal = CallJournal()
    let first = journal.add(Self.call([["a": 1, "b": ["x": 2, "y": [3, 4]]]]))
    let second = journal.add(Self.call([["a": 1, "b": ["x": 2, "y": [4, 3]]]]))
    journal.rewind()
    let other = journal.match(Self.call([["a": 1, "b": ["x": 3, "y": [2, 4]]]]))
    let swapped = journal.match(Self.call([["b": ["y": [4, 3], "x": 2], "a": 1]]))
    let again = journal.match(Self.call([["b": ["y": [4, 3], "x": 2], "a": 1]]))
    let exact = journal.match(Self.call([["a": 1, "b": ["x": 2, "y": [3, 4]]]]))
    #expect(other == nil)
    #expect(swapped == second)
    #expect(again == nil)
    #expect(exact == first)
  }

  @Test func `a name is compared too`() {
    var journal = CallJournal()
    _ = journal.add(HostCall(name: "first", arguments: ([1] as Value).encoded))
    journal.rewind()
    let match = journal.match(HostCall(name: "other", arguments: ([1] as Value).encoded))
    #expect(match == nil)
  }

  @Test func `each call is read once, however many recorded calls are like it`() {
    let callCount = 100
    var journal = CallJournal()
    for number in 0..<callCount { _ = journal.add(Self.call([.integer(Int64(1000 + number))])) }
    let bytes = Self.call([1000]).arguments.count
    // No recorded call has this length.
    journal.rewind()
    let long = journal.match(Self.call([.string(String(repeating: "x", count: 100_000))]))
    #expect(long == nil)
    #expect(journal.fingerprintedBytes == 0)
    // The first new call reads all recorded calls. The others read only themselves.
    for number in 0..<callCount {
      let match = journal.match(Self.call([.integer(Int64(-1000 - number))]))
      #expect(match == nil)
      #expect(journal.fingerprintedBytes == (callCount + number + 1) * bytes)
    }
  }

  @Test func `equal checkpoints are read once together`() {
    let callCount = 50
    var journal = CallJournal()
    let state = ([.string(String(repeating: "x", count: 10_000))] as Value).encoded
    for _ in 0..<callCount { _ = journal.add(Self.checkpoint(state)) }
    journal.rewind()
    let other = ([.string(String(repeating: "y", count: 10_000))] as Value).encoded
    let match = journal.match(Self.checkpoint(other))
    #expect(match == nil)
    #expect(journal.fingerprintedBytes == 2 * state.count)
  }
}
