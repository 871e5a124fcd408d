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
}
