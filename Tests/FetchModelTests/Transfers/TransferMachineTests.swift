import FetchModel
import FetchValues
import Testing

@Suite struct TransferMachineTests {
  private static let now = Timestamp(seconds: 1_795_000_000)

  private func machine(_ state: TransferState = .queued) throws -> TransferMachine {
    var machine = TransferMachine(try Transfers.record())
    if state == .queued { return machine }
    _ = machine.handle(.start, now: Self.now, chance: 0)
    switch state {
    case .queued, .running: break
    case .waiting: _ = machine.handle(.failed(.init(Transfers.cut)), now: Self.now, chance: 0)
    case .failed: _ = machine.handle(.failed(.init(Transfers.gone)), now: Self.now, chance: 0)
    case .done:
      _ = machine.handle(.finished(Transfers.whole, sha256: nil), now: Self.now, chance: 0)
    }
    return machine
  }

  @Test(arguments: TransferState.allCases) func `each state can be reached`(state: TransferState)
    throws
  {
    #expect(try machine(state).record.state == state)
  }

  @Test func `the transfer's turn starts an attempt`() throws {
    var machine = try machine()
    #expect(machine.handle(.start, now: Self.now, chance: 0) == [.fetch])
    #expect(machine.record.state == .running)
    #expect(machine.record.attemptCount == 1)
    #expect(machine.handle(.lasted, now: Self.now, chance: 0) == [.store])
  }

  @Test func `an attempt that keeps the replaced file is stored before it begins`() throws {
    var machine = TransferMachine(try Transfers.record(backup: try FilePath("old")))
    #expect(machine.handle(.start, now: Self.now, chance: 0) == [.store, .fetch])
    var small = PartialDownload()
    small.receivedBytes = 10
    let end = TransferEvent.finished(small, sha256: nil)
    #expect(machine.handle(end, now: Self.now, chance: 0) == [.store, .discard, .tell])
  }

  @Test func `a small file leaves nothing behind, unless an earlier attempt may have`() throws {
    var small = PartialDownload()
    small.receivedBytes = TransferRequest.repeatedBytesMax - 1
    let end = TransferEvent.finished(small, sha256: nil)
    var machine = try machine(.running)
    #expect(machine.handle(end, now: Self.now, chance: 0) == [.store, .tell])
    var second = try self.machine(.waiting)
    _ = second.handle(.start, now: Self.now, chance: 0)
    #expect(second.handle(end, now: Self.now, chance: 0) == [.store, .discard, .tell])
    var large = try self.machine(.running)
    small.receivedBytes = TransferRequest.repeatedBytesMax
    #expect(
      large.handle(.finished(small, sha256: nil), now: Self.now, chance: 0)
        == [.store, .discard, .tell])
  }

  @Test func `a finished file is reported`() throws {
    var machine = try machine(.running)
    let actions = machine.handle(
      .finished(Transfers.whole, sha256: [1]), now: Self.now + .seconds(5), chance: 0)
    #expect(actions == [.store, .tell])
    #expect(machine.record.state == .done)
    #expect(machine.record.download == Transfers.whole)
    #expect(machine.record.sha256 == [1])
    #expect(machine.record.updatedAt == Self.now + .seconds(5))
  }

  @Test func `without on_transfer, the end counts as reported`() throws {
    var machine = try machine(.running)
    let actions = machine.handle(
      .finished(Transfers.whole, sha256: nil), now: Self.now, chance: 0, isHeard: false)
    #expect(actions == [.store])
    #expect(machine.record.isTold)
    var other = try self.machine()
    #expect(
      other.handle(.cancel(Transfers.cancelled), now: Self.now, chance: 0, isHeard: false)
        == [.store, .discard])
    #expect(other.record.isTold)
    #expect(other.handle(.retry, now: Self.now, chance: 0) == [.store])
    #expect(!other.record.isTold)
  }

  @Test func `a temporary failure is retried, at first quickly`() throws {
    var machine = try machine()
    var delays: [Duration] = []
    for _ in 0..<5 {
      _ = machine.handle(.start, now: Self.now, chance: 0)
      let actions = machine.handle(.failed(.init(Transfers.cut)), now: Self.now, chance: 0)
      #expect(actions == [.store])
      #expect(machine.record.failure == Transfers.cut)
      let next = try #require(machine.record.nextAttemptAt)
      delays.append(next - Self.now)
    }
    #expect(delays == [2, 10, 60, 300, 600].map { .seconds($0) })
    #expect(machine.record.failureCount == 5)
  }

  @Test func `an attempt that made progress is followed by the next immediately`() throws {
    var machine = try machine(.waiting)
    _ = machine.handle(.start, now: Self.now, chance: 0)
    let gain = TransferRetry.gainBytesMin
    _ = machine.handle(
      .failed(.init(Transfers.cut, gainedBytes: gain)), now: Self.now, chance: 0)
    #expect(machine.record.failureCount == 0)
    #expect(machine.record.nextAttemptAt == Self.now + .seconds(1))
  }

  @Test func `no attempt is made before the time that the server stated`() throws {
    var machine = try machine(.running)
    var failure = TransferEvent.AttemptFailure(Transfers.cut)
    failure.notBefore = Self.now + .seconds(500)
    _ = machine.handle(.failed(failure), now: Self.now, chance: 0)
    #expect(machine.record.nextAttemptAt == Self.now + .seconds(500))
  }

  @Test func `being offline is no failure, however long it lasts`() throws {
    var machine = try machine(.running)
    let offline = TransferEvent.AttemptFailure(Failure(.offline, "no network", retryable: true))
    for day in 0..<30 {
      let now = Self.now + .seconds(day * 86_400)
      #expect(machine.handle(.failed(offline), now: now, chance: 0) == [.store])
      #expect(machine.record.state == .waiting)
      #expect(machine.record.nextAttemptAt == now + TransferRetry.whileOffline)
      #expect(machine.record.failureCount == 0)
      #expect(machine.handle(.start, now: now, chance: 0) == [.fetch])
    }
  }

  @Test func `a permanent failure ends the transfer and removes the part`() throws {
    var machine = try machine(.running)
    let actions = machine.handle(.failed(.init(Transfers.gone)), now: Self.now, chance: 0)
    #expect(actions == [.store, .discard, .tell])
    #expect(machine.record.state == .failed)
    #expect(machine.record.failure == Transfers.gone)
  }

  @Test func `two weeks without progress end the transfer`() throws {
    var machine = try machine()
    var now = Self.now
    var count = 0
    while machine.record.state.isPending {
      _ = machine.handle(.start, now: now, chance: 0.5)
      _ = machine.handle(.failed(.init(Transfers.cut)), now: now, chance: 0.5)
      now = machine.record.nextAttemptAt ?? now
      count += 1
    }
    #expect(now - Self.now >= .seconds(14 * 86_400))
    #expect(now - Self.now < .seconds(16 * 86_400))
    #expect((25...60).contains(count))
    #expect(machine.record.failure == Transfers.cut)
  }

  @Test func `a transfer whose file changes at each request is given up`() throws {
    var machine = try machine()
    var changed = TransferEvent.AttemptFailure(Transfers.cut, gainedBytes: 1 << 20)
    changed.hasChanged = true
    for _ in 0...TransferRetry.changesMax {
      _ = machine.handle(.start, now: Self.now, chance: 0)
      _ = machine.handle(.failed(changed), now: Self.now, chance: 0)
    }
    #expect(machine.record.state == .failed)
    #expect(
      machine.record.failure?.message
        == "the file at https://a.example/film.mkv apparently changed during 11 attempts to"
        + " download it; the last failure: the answer from a.example was cut off")
  }

  @Test
  func `an interruption queues the transfer again, or delays it until the budget allows more`()
    throws
  {
    var machine = try machine(.running)
    #expect(machine.handle(.stopped(until: nil), now: Self.now, chance: 0) == [.store])
    #expect(machine.record.state == .queued)
    _ = machine.handle(.start, now: Self.now, chance: 0)
    let later = Self.now + .seconds(900)
    #expect(machine.handle(.stopped(until: later), now: Self.now, chance: 0) == [.store])
    #expect(machine.record.state == .waiting)
    #expect(machine.record.nextAttemptAt == later)
    #expect(machine.record.failure == nil)
  }

  @Test(arguments: [TransferState.queued, .waiting]) func `a cancellation ends the transfer`(
    state: TransferState
  ) throws {
    var machine = try machine(state)
    let actions = machine.handle(.cancel(Transfers.cancelled), now: Self.now, chance: 0)
    #expect(actions == [.store, .discard, .tell])
    #expect(machine.record.failure == Transfers.cancelled)
  }

  @Test func `an attempt changes nothing after a cancellation`() throws {
    var machine = try machine(.running)
    let actions = machine.handle(.cancel(Transfers.cancelled), now: Self.now, chance: 0)
    #expect(actions == [.store, .discard, .tell])
    #expect(machine.handle(.stopped(until: nil), now: Self.now, chance: 0) == [])
    #expect(machine.record.state == .failed)
  }

  @Test func `a new request restarts a failed transfer`() throws {
    var machine = try machine(.failed)
    #expect(machine.handle(.retry, now: Self.now, chance: 0) == [.store])
    #expect(machine.record.state == .queued)
    #expect(machine.record.download.receivedBytes == 0)
    #expect(machine.record.failureCount == 0)
    #expect(machine.record.failure == nil)
  }

  @Test(arguments: TransferState.allCases)
  func `a transfer that waits or has failed can be retried`(state: TransferState) throws {
    var machine = try machine(state)
    #expect(state.canBeRetried == [.waiting, .failed].contains(state))
    let actions = machine.handle(.retry, now: Self.now, chance: 0)
    #expect(actions.isEmpty != state.canBeRetried)
  }

  @Test(arguments: [TransferState.queued, .running, .done])
  func `a transfer that has not failed cannot be retried`(state: TransferState) throws {
    var machine = try machine(state)
    let before = machine.record
    #expect(machine.handle(.retry, now: Self.now + .seconds(1), chance: 0) == [])
    #expect(machine.record == before)
  }
}
