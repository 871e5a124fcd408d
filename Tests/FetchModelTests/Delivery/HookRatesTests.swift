import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the times until which the present rates delay hooks.
@Suite struct HookRatesTests {
  private static let start = Timestamp(seconds: 1_800_000_000)

  private static func hooks(_ rate: Rate?) -> HookRates {
    var hook = HookConfig(name: "x", sink: .command(CommandSettings(words: ["true"])))
    hook.rate = rate
    return HookRates(of: [hook])
  }

  /// Returns the stored pace of two deliveries, one now and one ten minutes ago, in a process with
  /// the given rate.
  private static func kept(_ rate: Rate) -> [UInt8] {
    var pace = DeliveryPace()
    pace.begin(rate, now: start + .seconds(-600))
    pace.begin(rate, now: start)
    return pace.encoded(rate, now: start)
  }

  private static func opensIn(_ rates: HookRates, _ kept: [UInt8]) -> Duration? {
    rates.openings(of: ["x": kept], now: start)["x"].map { $0 - start }
  }

  @Test(
    arguments: [
      (nil, nil), (1, 3600), (2, 3000), (3, nil), (600, nil),
    ] as [(Int64?, Int64?)])
  func `the present rate applies, whatever rate stored the pace`(
    amount: Int64?, seconds: Int64?
  ) throws {
    let rates = Self.hooks(amount.map { Rate(amount: $0, period: .hour) })
    for before in [1, 2, 600] {
      let kept = Self.kept(Rate(amount: Int64(before), period: .hour))
      #expect(Self.opensIn(rates, kept) == seconds.map(Duration.seconds))
    }
  }

  @Test func `a hook that does not exist has no rate`() {
    let kept = Self.kept(Rate(amount: 1, period: .hour))
    #expect(Self.opensIn(HookRates(of: []), kept) == nil)
  }

  @Test func `without a config, the stored pace determines the time`() {
    #expect(Self.opensIn(.unknown, Self.kept(Rate(amount: 1, period: .hour))) == .seconds(3600))
    #expect(Self.opensIn(.unknown, Self.kept(Rate(amount: 600, period: .hour))) == nil)
    let old = HookRates.unknown.openings(
      of: ["x": Self.kept(Rate(amount: 1, period: .hour))], now: Self.start + .seconds(3600))
    #expect(old == [:])
    for broken in [[], [0xFF], [0x91]] as [[UInt8]] {
      #expect(Self.opensIn(.unknown, broken) == nil)
      #expect(Self.opensIn(Self.hooks(Rate(amount: 1, period: .hour)), broken) == nil)
    }
  }
}
