import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct TransferMachinePropertyTests {
  private static func event(_ chance: inout SeededGenerator, _ now: Timestamp) -> TransferEvent {
    switch chance.below(12) {
    case 0...2: return .start
    case 3, 4:
      var download = PartialDownload()
      download.receivedBytes = Int64(chance.below(1_000_000))
      return .received(download, boot: "b")
    case 5: return .finished(Transfers.whole, sha256: nil)
    case 6...8:
      var failure = TransferEvent.AttemptFailure(
        chance.isOnce(in: 6) ? Transfers.gone : Transfers.cut,
        gainedBytes: Int64(chance.below(200_000)))
      failure.hasChanged = chance.isOnce(in: 4)
      failure.notBefore = chance.isOnce(in: 4) ? now + .seconds(Int64(chance.below(5_000))) : nil
      return .failed(failure)
    case 9: return .stopped(until: chance.isOnce(in: 2) ? now + .seconds(60) : nil)
    case 10: return chance.isOnce(in: 5) ? .cancel(Transfers.cancelled) : .start
    default: return chance.isOnce(in: 3) ? .retry : .start
    }
  }

  @Test(arguments: 1...40) func `any events leave a valid record`(seed: Int) throws {
    var chance = SeededGenerator(seed: UInt64(seed))
    var machine = TransferMachine(try Transfers.record())
    var now = Timestamp(seconds: 1_795_000_000)
    for _ in 0..<400 {
      now = now + .seconds(Int64(chance.below(3_000)))
      let before = machine.record
      let event = Self.event(&chance, now)
      let actions = machine.handle(event, now: now, chance: Double(chance.below(1_000)) / 1_000)
      let record = machine.record
      // An event causes actions if and only if it changes the record.
      #expect((record == before) == actions.isEmpty, "\(event)")
      #expect(actions.isEmpty || actions.contains(.store) || event == .start)
      #expect((record.nextAttemptAt != nil) == (record.state == .waiting))
      if record.state == .failed { #expect(record.failure != nil) }
      if record.state == .done { #expect(record.failure == nil) }
      #expect(actions.contains(.fetch) == (before.state != .running && record.state == .running))
      let isEnd = before.state.isPending && !record.state.isPending
      #expect(actions.contains(.tell) == isEnd)
      // The first attempt at a small file leaves nothing when it has placed the file.
      let isClean =
        record.state == .done && record.attemptCount == 1
        && !record.request.leavesProof(size: record.download.receivedBytes)
      #expect(actions.contains(.discard) == (isEnd && !isClean))
      #expect(
        record.attemptCount == before.attemptCount + (actions.contains(.fetch) ? 1 : 0))
      // A finished file stays at its path.
      if before.state == .done { #expect(record == before) }
      if let next = record.nextAttemptAt, before.state == .running, record.state == .waiting {
        #expect(next > now || event == .stopped(until: next))
        #expect(next - now <= max(.seconds(86_400), .seconds(5_000)))
      }
    }
  }
}
