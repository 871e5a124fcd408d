import FetchModel
import FetchValues
import Testing

/// What people are shown of deliveries that wait for another one.
@Suite struct DeliveryOrderTests {
  private func delivery(
    _ id: Int64, _ hook: String, _ job: String, _ change: (inout Delivery) -> Void = { _ in }
  ) -> Delivery {
    var delivery = Delivery(
      id: id, hook: hook, job: job, event: .newData, payload: "", key: "key\(id)",
      createdAt: Timestamp(seconds: 1_800_000_000))
    change(&delivery)
    return delivery
  }

  @Test func `those behind the first of their hook and job say which that is`() {
    let shown = [
      delivery(1, "a", "x") { $0.state = .dead },
      delivery(2, "a", "x") { $0.failure = "answered 503" },
      delivery(3, "a", "y"), delivery(4, "b", "x"), delivery(5, "a", "x"), delivery(6, "a", "x"),
      delivery(7, "a", "y") { $0.nextAttemptAt = Timestamp(seconds: 1_800_003_600) },
      delivery(8, "a", "y") { $0.failure = "the rate of its hook" },
      delivery(9, "b", "x") { $0.digest = 9 },
    ].showingOrder()
    #expect(
      shown.map(\.failure) == [
        nil, "answered 503", nil, nil, "delivery 2 goes first", "delivery 2 goes first", nil,
        "the rate of its hook", nil,
      ])
  }
}
