import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Transfers for which an event is under way: see `TransferService.apply`. Each test stands in for
/// the event, so that it lasts as long as the test needs.
@Suite(.timeLimit(.minutes(5))) struct TransferEventTests {
  private let stage: TransferStage

  init() throws { stage = try TransferStage() }

  private func begin(_ open: OpenTransfers) {
    open.transfers.withState { $0.eventCounts[1, default: 0] += 1 }
  }

  private func end(_ open: OpenTransfers) {
    open.transfers.withState { $0.endEvent(1) }
    open.transfers.poke()
  }

  @Test func `an interrupted transfer does not begin again while an event is under way`()
    async throws
  {
    let half = try HalfServer()
    stage.asks("a", #"{"transfers": {"url": "\#(half.url)", "to": "f"}}"#)
    let open = try await stage.open()
    try await open.run()
    await open.until { size(stage.partial(1)) == HalfServer.half }
    begin(open)
    begin(open)
    #expect(await open.ask(.pause(.named(["a"]))).0 == .done)
    await open.until { open.transfers.withState { $0.attempts.isEmpty } }
    #expect(await open.ask(.resume(.named(["a"]))).0 == .done)
    half.finish()
    end(open)
    // The transfer keeps the place of its attempt.
    let isRunning = open.transfers.withState { $0.queue.isRunning(1) }
    #expect(isRunning)
    #expect(half.ranges == [nil])
    end(open)
    try await open.until(1, .done)
    #expect(half.pattern.isFile(stage.path("f")))
    #expect(half.ranges == [nil, "bytes=\(HalfServer.half)-"])
    try await open.stop()
  }

  @Test func `a transfer that was left out because of an event is read again`() async throws {
    stage.site.at("h1/f") { _ in Site.Answer(body: "f") }
    stage.asks("a", #"{"transfers": {"url": "{h1}/f", "to": "f"}}"#)
    let open = try await stage.open()
    begin(open)
    try await open.run()
    await open.until { open.transfers.withState { !$0.isStale } }
    #expect(try open.record(1).state == .queued)
    #expect(!stage.site.asked.contains("h1/f"))
    end(open)
    try await open.until(1, .done)
    try await open.stop()
  }
}
