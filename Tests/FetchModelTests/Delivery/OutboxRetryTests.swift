import FetchModel
import FetchValues
import Testing

@Suite struct OutboxRetryTests {
  @Test func `an outbox that cannot be read is read ever less often, and once a minute at least`() {
    var (retry, now) = (OutboxRetry(), Timestamp(seconds: 1_800_000_000))
    #expect(!retry.isDue(now))
    var delays: [Duration] = []
    for _ in 1...9 {
      retry.failed(now: now)
      let next = retry.at ?? now
      #expect(!retry.isDue(next + .milliseconds(-1)) && retry.isDue(next))
      delays.append(next - now)
      now = next
    }
    #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60, 60].map(Duration.seconds))
  }
}
