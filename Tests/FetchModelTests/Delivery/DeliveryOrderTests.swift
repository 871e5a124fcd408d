import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the display of deliveries that wait for another delivery.
@Suite struct DeliveryOrderTests {
  private static let now = Timestamp(seconds: 1_800_000_000)

  private func delivery(
    _ id: Int64, _ hook: HookName, _ job: JobName, _ change: (inout Delivery) -> Void = { _ in }
  ) -> Delivery {
    var delivery = Delivery(
      id: id, hook: hook, job: job, event: .newData, payload: "", key: "key\(id)",
      createdAt: Timestamp(seconds: 1_800_000_000))
    change(&delivery)
    return delivery
  }

  @Test func `a delivery behind another of its hook and job names the first one`() {
    let shown = [
      delivery(1, "a", "x") { $0.state = .dead },
      delivery(2, "a", "x") { $0.failure = "answered 503" },
      delivery(3, "a", "y"), delivery(4, "b", "x"), delivery(5, "a", "x"), delivery(6, "a", "x"),
      delivery(7, "a", "y") { $0.nextAttemptAt = Timestamp(seconds: 1_800_003_600) },
      delivery(8, "a", "y") { $0.failure = "the hook's rate limit" },
      delivery(9, "b", "x") { $0.digest = 9 },
    ].showingOrder(now: Self.now)
    #expect(
      shown.map(\.failure) == [
        nil, "answered 503", nil, nil, "delivery 2 goes first", "delivery 2 goes first", nil,
        "the hook's rate limit", nil,
      ])
  }

  @Test func `a time in the past is shown only with a reason`() {
    let past = Self.now + .seconds(-60)
    let later = Self.now + .seconds(60)
    let shown = [
      delivery(1, "a", "x") { $0.nextAttemptAt = later },
      delivery(2, "a", "y") { $0.nextAttemptAt = past },
      delivery(3, "b", "x") { $0.nextAttemptAt = past },
      delivery(4, "b", "y") { $0.nextAttemptAt = past },
      delivery(5, "c", "x") { $0.digest = 5 },
      delivery(6, "c", "y") { $0.nextAttemptAt = past },
    ].showingOrder(now: Self.now)
    #expect(shown.map(\.nextAttemptAt) == [later, nil, nil, nil, nil, nil])
    #expect(
      shown.map(\.failure)
        == [nil, "delivery 1 goes first", nil, nil, nil, "delivery 5 goes first"])
  }

  @Test
  func `deliveries that only the rate of their hook delays are shown without a time in the past`() {
    let past = Self.now + .seconds(-60)
    let opensAt = Self.now + .seconds(60)
    let shown = [
      delivery(1, "a", "x") { $0.nextAttemptAt = past },
      delivery(2, "a", "y") { $0.nextAttemptAt = past },
    ].showingRates(["a": opensAt], now: Self.now)
    #expect(shown.map(\.nextAttemptAt) == [opensAt, nil])
    #expect(shown.map(\.failure) == ["the hook's rate limit", "the hook's rate limit"])
  }

  @Test
  func
    `deliveries that wait for a digest show the time of the present settings, never a later one`()
  {
    func shown(_ batching: HookBatching) -> [Timestamp?] {
      var hook = HookConfig(name: "a", sink: .command(CommandSettings(words: ["true"])))
      hook.batching = batching
      return [
        delivery(1, "a", "x") { $0.nextAttemptAt = Self.now + .seconds(3600) },
        delivery(2, "a", "x") {
          $0.nextAttemptAt = Self.now + .seconds(60)
          $0.failure = "answered 503"
        },
        delivery(3, "b", "x") { $0.nextAttemptAt = Self.now + .seconds(60) },
      ].showingDigests(of: [hook]).map(\.nextAttemptAt)
    }
    let others: [Timestamp?] = [Self.now + .seconds(60), Self.now + .seconds(60)]
    #expect(shown(.digest(.seconds(600))) == [Self.now + .seconds(600)] + others)
    #expect(shown(.run) == [nil] + others)
    #expect(shown(.digest(.seconds(86_400))) == [Self.now + .seconds(3600)] + others)
  }
}
