import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct DeliveryRetryTests {
  private let start = Timestamp(seconds: 1_800_000_000)
  private var delivery: Delivery {
    Delivery(
      id: 1, hook: "chat", job: "news", event: .newData, payload: "{}", key: "k", createdAt: start)
  }

  private func fail(
    _ delivery: Delivery, _ failure: DeliveryFailure = DeliveryFailure("down"), at now: Timestamp,
    chance: Double = 0.999_999
  ) -> Delivery {
    DeliveryRetry.failed(
      delivery, failure, deadAfter: .seconds(3 * 86_400), now: now, chance: chance)
  }

  @Test func `delays grow up to a limit, and end after three days`() {
    var delivery = delivery
    var now = start
    var delays: [Int64] = []
    while delivery.state == .pending {
      delivery = fail(delivery, at: now)
      guard let next = delivery.nextAttemptAt else { break }
      delays.append((next - now).wholeMilliseconds / 1000)
      now = next
    }
    #expect(Array(delays.prefix(6)) == [1, 9, 59, 599, 1199, 2399])
    #expect((delays.max() ?? 0) <= 86_400)
    #expect(delivery.state == .dead)
    #expect(delivery.failure == "down")
    #expect(now - start >= .seconds(3 * 86_400))
    #expect(delivery.attemptCount == delays.count + 1)
  }

  @Test(arguments: 1...20, [0.0, 0.3, 0.999]) func `the jitter of a delay covers its whole range`(
    failures: Int, chance: Double
  ) {
    var delivery = delivery
    delivery.attemptCount = failures - 1
    let next = fail(delivery, at: start, chance: chance).nextAttemptAt
    let ceiling = DeliveryRetry.backoff(failures: failures, failingFor: .zero)
      .longest(failures: failures)
    let delay = (next ?? start) - start
    #expect(delay >= DeliveryRetry.delayMin)
    #expect(delay <= max(ceiling, DeliveryRetry.delayMin))
    #expect(chance > 0 || delay == DeliveryRetry.delayMin)
  }

  @Test func `a receiver's requested pause is respected, up to a day`() {
    let later = DeliveryFailure("busy", retryAt: start + .seconds(500))
    #expect(fail(delivery, later, at: start, chance: 0).nextAttemptAt == start + .seconds(500))
    let never = DeliveryFailure("busy", retryAt: start + .seconds(900 * 86_400))
    #expect(fail(delivery, never, at: start).nextAttemptAt == start + DeliveryRetry.retryAfterMax)
  }

  @Test func `a delivery that cannot succeed is given up immediately`() {
    let gone = fail(delivery, DeliveryFailure("gone", isRetryable: false), at: start)
    #expect(gone.state == .dead)
    #expect(gone.nextAttemptAt == nil)
  }
}
