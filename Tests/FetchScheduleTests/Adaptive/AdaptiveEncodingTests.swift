import FetchTestSupport
import FetchValues
import Testing

@testable import FetchSchedule

@Suite struct AdaptiveEncodingTests {
  private func decodeState(_ bytes: [UInt8]) -> AdaptiveState? {
    try? AdaptiveState(encoded: bytes)
  }

  private static let made: AdaptiveFixture = {
    var fixture = AdaptiveFixture()
    fixture.watch(days: 9, hours: [7, 8, 20])
    fixture.learn(.failed(retryAfter: 90), after: 60)
    _ = fixture.next(AdaptiveSchedule(job: "a"))
    return fixture
  }()

  private var fixture: AdaptiveFixture { Self.made }

  @Test func `a state is unchanged after it was encoded and decoded`() {
    let fixture = fixture
    let copy = decodeState(fixture.encoded)
    #expect(copy == fixture.state)
    #expect(decodeState(AdaptiveFixture(datesItems: false).encoded)?.datesItems == false)
  }

  @Test func `a state in another encoding is dropped, and learned again`() throws {
    guard case .array(var fields) = try Value(encoded: fixture.encoded) else {
      Issue.record("not a list")
      return
    }
    #expect(decodeState(Value.array(fields).encoded) == fixture.state)
    fields[0] = .integer(2)
    #expect(decodeState(Value.array(fields).encoded) == nil)
    fields[0] = .integer(3)
    fields.removeLast()
    #expect(decodeState(Value.array(fields).encoded) == nil)
  }

  @Test func `the state of Last-Modified is unchanged after it was encoded and decoded`() {
    var fixture = AdaptiveFixture(datesItems: false)
    for _ in 0..<3 {
      fixture.learn(.changed(true, modifiedAt: fixture.now + 600), after: 3600)
      fixture.learn(.changed(false, modifiedAt: fixture.now + 600), after: 3600)
    }
    #expect(!fixture.state.modified.isBelieved)
    #expect(decodeState(fixture.encoded) == fixture.state)
  }

  @Test(arguments: [[1, 1, 1, 1, 1], [0, 0.25, 0.25, 0.25, 0.25], [0.9, 0.2, 0, 0, 0]])
  func `stored weights of models that do not sum to one are refused`(trust: [Double]) {
    #expect(TimetableBelief(marks: [], leads: 1, trust: trust) == nil)
  }

  @Test func `an encoded state is small`() {
    #expect(fixture.encoded.count < 2048)
    #expect(AdaptiveFixture().encoded.count < 512)
  }

  @Test func `the shared part is unchanged after it was encoded and decoded`() throws {
    var fixture = fixture
    for hour in 0..<200 {
      fixture.shared.settle(
        level: Double(hour % 7) / 7, now: Double(hour) * 1800, clock: fixture.clock)
    }
    let copy = try AdaptiveShared(encoded: fixture.shared.encoded)
    #expect(copy == fixture.shared)
    #expect(copy.prices() == fixture.shared.prices())
    fixture.shared.setBudget(requestsPerHour: nil)
    #expect(try AdaptiveShared(encoded: fixture.shared.encoded) == fixture.shared)
  }

  @Test func `the reader's hours are unchanged after they were encoded and decoded`() throws {
    var usage = UsageProfile()
    for day in 0..<9 {
      usage.learn(readAt: Double(day) * 86_400 + 27_000, since: 0, clock: WeekClock())
    }
    let copy = try UsageProfile(encoded: usage.encoded)
    #expect(copy == usage)
    #expect(copy.weight(at: 27_000) == usage.weight(at: 27_000))
  }

  /// A state that the decoder accepts must be usable.
  @Test(arguments: 0..<100) func `changed bytes are an error or a usable state`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var fixture = fixture
    var bytes = fixture.encoded
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[place] = UInt8.random(in: 0...255, using: &generator)
    }
    guard let state = decodeState(bytes) else { return }
    fixture.state = state
    fixture.learn(
      .items(ItemsSeen(newTimes: [fixture.now + 10, fixture.now + 900], shownCount: 12)),
      after: 3600)
    let decision = fixture.next(AdaptiveSchedule(job: "a"))
    #expect(decision.dueAt >= fixture.now)
    #expect(decision.dueAt <= fixture.now + 40 * 86_400)
  }
}
