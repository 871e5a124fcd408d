import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchModel

@Suite struct FeedHintsTests {
  private let now = SchedulerRig.start  // 2026-11-20T10:00:00Z, a Friday

  private func hints(_ change: (inout FeedHints) -> Void) -> FeedHints {
    var hints = FeedHints()
    change(&hints)
    return hints
  }

  private func read(_ bytes: [UInt8]) -> FeedHints? { try? FeedHints(encoded: bytes) }

  private var full: FeedHints {
    hints {
      $0.ttl = .seconds(3600)
      $0.setUpdates(every: .seconds(7200), from: Timestamp(seconds: 600))
      $0.skipHours = 0b1000_0000_0000_0000_0011_1111
      $0.skipDays = 0b100_0001
    }
  }

  // MARK: Bounds

  @Test func `values that give no hint are ignored`() {
    for seconds: Int64 in [.min, -1, 0] {
      #expect(hints { $0.ttl = .seconds(seconds) }.isEmpty)
      #expect(hints { $0.setUpdates(every: .seconds(seconds), from: now) }.isEmpty)
    }
    #expect(hints { $0.skipHours = 0xFFFFFF }.isEmpty)
    #expect(hints { $0.skipDays = 0x7F }.isEmpty)
    #expect(hints { $0.skipHours = 0xFF00_0000 }.isEmpty)
    #expect(hints { $0.skipDays = 0x80 }.isEmpty)
  }

  @Test func `a hint of more than a year counts as a year`() {
    let year: Duration = .seconds(366 * 86_400)
    #expect(hints { $0.ttl = .seconds(Int64.max) }.ttl == year)
    #expect(hints { $0.setUpdates(every: .seconds(Int64.max)) }.updatePeriod == year)
  }

  // MARK: Updates

  @Test
  func `updates with a base are at multiples of the period, others a period after the last fetch`()
  {
    let hourly = hints { $0.setUpdates(every: .seconds(3600)) }
    #expect(hourly.nextUpdate(after: now) == now + .seconds(3600))
    for base in [
      now + .seconds(600), now + .seconds(600 - 3600 * 100_000), Timestamp(seconds: -3000),
    ] {
      let based = hints { $0.setUpdates(every: .seconds(3600), from: base) }
      #expect(based.nextUpdate(after: now) == now + .seconds(600))
      #expect(based.nextUpdate(after: now + .seconds(600)) == now + .seconds(4200))
      #expect(based.nextUpdate(after: now + .milliseconds(599_999)) == now + .seconds(600))
    }
  }

  // MARK: Several feeds

  @Test func `of the hints of several feeds, the least strict ones are kept`() {
    let one = hints {
      $0.ttl = .seconds(3600)
      $0.setUpdates(every: .seconds(7200))
      $0.skipHours = 0b111
      $0.skipDays = 0b11
    }
    let other = hints {
      $0.ttl = .seconds(600)
      $0.setUpdates(every: .seconds(3600))
      $0.skipHours = 0b110
      $0.skipDays = 0b01
    }
    let least = hints {
      $0.ttl = .seconds(600)
      $0.setUpdates(every: .seconds(3600))
      $0.skipHours = 0b110
      $0.skipDays = 0b01
    }
    #expect(one.least(other) == least)
    #expect(other.least(one) == least)
    #expect(one.least(one) == one)
    #expect(one.least(FeedHints()).isEmpty)
    #expect(FeedHints().least(one).isEmpty)
  }

  @Test func `two update rhythms with different bases are ignored`() {
    func updates(_ base: Int64?) -> FeedHints {
      hints { $0.setUpdates(every: .seconds(7200), from: base.map { Timestamp(seconds: $0) }) }
    }
    #expect(updates(600).least(updates(600 + 7200)) == updates(600))
    #expect(updates(600).least(updates(1200)).isEmpty)
    #expect(updates(600).least(updates(nil)).isEmpty)
  }

  @Test func `the combined hints of two feeds are never stricter than those of either feed`() {
    var chance = SeededGenerator(seed: 11)
    func any() -> FeedHints {
      hints {
        if chance.below(2) == 0 { $0.ttl = .seconds(chance.below(90_000)) }
        if chance.below(2) == 0 {
          let base = chance.below(2) == 0 ? Timestamp(seconds: Int64(chance.below(9))) : nil
          $0.setUpdates(every: .seconds(3600 * (1 + chance.below(3))), from: base)
        }
        $0.skipHours = UInt32(chance.below(1 << 24))
        $0.skipDays = UInt8(chance.below(1 << 7))
      }
    }
    func later(_ feed: FeedHints, than planned: Timestamp) -> Timestamp {
      var hints = SourceHints()
      hints.feed = feed
      return hints.later(than: planned, answeredAt: now).at
    }
    for _ in 0..<2000 {
      let (one, other) = (any(), any())
      let planned = now + .seconds(chance.below(200_000))
      let least = later(one.least(other), than: planned)
      #expect(least <= later(one, than: planned) && least <= later(other, than: planned))
      #expect(least >= planned && least <= max(planned, now + SourceHints.delayMax))
    }
  }

  // MARK: Bytes

  @Test func `encoded hints are read back`() {
    for hints in [FeedHints(), full, hints { $0.setUpdates(every: .seconds(1)) }] {
      #expect(read(hints.encoded) == hints)
    }
  }

  @Test(
    arguments: [
      [-1, 0, -1, 0, 0], [366 * 86_400 + 1, 0, -1, 0, 0], [0, -1, -1, 0, 0],
      [0, 366 * 86_400 + 1, -1, 0, 0], [0, 3600, 3600, 0, 0], [0, 3600, -2, 0, 0], [0, 0, 0, 0, 0],
      [0, 0, -1, 0xFFFFFF, 0], [0, 0, -1, 1 << 24, 0], [0, 0, -1, -1, 0], [0, 0, -1, 0, 0x7F],
      [0, 0, -1, 0, -1], [.max, .max, .max, .max, .max], [.min, .min, .min, .min, .min],
      [0, 0, -1, 0], [0, 0, -1, 0, 0, 0], [],
    ] as [[Int64]])
  func `values out of range are refused`(numbers: [Int64]) {
    var writer = ValueWriter()
    writer.beginArray(count: numbers.count)
    for number in numbers { writer.write(number) }
    #expect(read(writer.bytes) == nil)
  }

  @Test func `any bytes are read as valid hints or an error`() {
    let whole = full.encoded
    for length in whole.indices { #expect(read(Array(whole[..<length])) == nil) }
    var chance = SeededGenerator(seed: 3)
    for _ in 0..<5000 {
      var bytes = whole
      for _ in 0...chance.below(3) {
        bytes[chance.below(bytes.count)] = UInt8(truncatingIfNeeded: chance.next())
      }
      guard let hints = read(bytes) else { continue }
      #expect(read(hints.encoded) == hints)
    }
  }

  // MARK: Words

  @Test func `hints are shown in one sentence`() {
    #expect(FeedHints().sentence == nil)
    #expect(
      full.sentence
        == "Feed hints: ttl 1h, an update every 2h counted from sy:updateBase,"
        + " skipHours 0-5,23 UTC, skipDays sat,sun UTC.")
    #expect(
      hints { $0.setUpdates(every: .seconds(1800)) }.sentence
        == "Feed hints: an update every 30m.")
  }

  // MARK: Belief

  @Test func `a ttl is ignored only if items usually appear within it`() {
    var source = SourceHints()
    source.cacheLifetime = .seconds(900)
    source.feed = hints {
      $0.ttl = .seconds(3600)
      $0.setUpdates(every: .seconds(86_400))
      $0.skipHours = 1
    }
    #expect(source.believed(itemsPerSecond: 0.2 / 86_400) == source)
    var daily = source
    daily.feed.setUpdates(every: nil)
    #expect(source.believed(itemsPerSecond: 1 / 86_400) == daily)
    daily.feed.ttl = nil
    #expect(source.believed(itemsPerSecond: 1 / 3600) == daily)
    #expect(source.believed(itemsPerSecond: .infinity) == daily)
  }

  @Test func `a ttl of weeks is compared with the items of one day, which is the longest delay`() {
    var source = SourceHints()
    source.feed.ttl = .seconds(30 * 86_400)
    #expect(source.believed(itemsPerSecond: 0.29 / 86_400) == source)
    #expect(source.believed(itemsPerSecond: 0.31 / 86_400) == SourceHints())
  }
}
