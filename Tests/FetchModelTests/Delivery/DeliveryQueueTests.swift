import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct DeliveryQueueTests {
  private let start = Timestamp(seconds: 1_800_000_000)

  private func hook(_ name: HookName, _ change: (inout HookConfig) -> Void = { _ in }) -> HookConfig
  {
    var hook = HookConfig(name: name, sink: .command(CommandSettings(words: ["true"])))
    change(&hook)
    return hook
  }

  private func delivery(
    _ id: Int64, _ hook: HookName, _ job: JobName = "a", at time: Timestamp? = nil,
    tries: Int = 0, createdAt: Timestamp? = nil
  ) -> Delivery {
    var delivery = Delivery(
      id: id, hook: hook, job: job, event: .newData, payload: "", key: "\(id)",
      createdAt: createdAt ?? start)
    delivery.nextAttemptAt = time
    delivery.attemptCount = tries
    return delivery
  }

  private func queue(_ hooks: [HookConfig], _ deliveries: [Delivery]) -> DeliveryQueue {
    var queue = DeliveryQueue()
    queue.setHooks(hooks)
    for delivery in deliveries { queue.add(delivery) }
    return queue
  }

  private func ids(_ starts: [DeliveryQueue.Start]) -> [[Int64]] {
    starts.map { $0.deliveries.map(\.id) }
  }

  @Test func `each hook and job has one delivery under way at a time, in order`() {
    var queue = queue(
      [hook("x"), hook("y")],
      [
        delivery(2, "x"), delivery(1, "x"), delivery(3, "x", "b"), delivery(4, "y"),
        delivery(5, "unknown"),
      ])
    let first = queue.begin(now: start)
    #expect(ids(first) == [[1], [3], [4]])
    #expect(queue.begin(now: start).isEmpty)
    queue.remove([1])
    #expect(queue.begin(now: start).isEmpty, "the attempt has not ended yet")
    queue.end(first[0])
    #expect(ids(queue.begin(now: start)) == [[2]])
    #expect(queue.count == 3)
  }

  @Test func `a delivery that was dropped during its attempt is not put back`() {
    var queue = queue([hook("x")], [delivery(1, "x"), delivery(2, "x")])
    let first = queue.begin(now: start)
    let later = start + .seconds(60)
    queue.remove([1])
    queue.replace(delivery(1, "x", at: later, tries: 1))
    queue.end(first[0])
    let second = queue.begin(now: start)
    #expect(ids(second) == [[2]])
    queue.replace(delivery(2, "x", at: later, tries: 1))
    queue.end(second[0])
    #expect(queue.nextWake(now: start) == later)
  }

  @Test func `a waiting delivery delays only those behind it`() {
    let later = start + .seconds(60)
    var queue = queue(
      [hook("x"), hook("y")],
      [
        delivery(1, "x", at: later, tries: 1), delivery(2, "x"), delivery(3, "x", "b"),
        delivery(4, "y"),
      ])
    #expect(ids(queue.begin(now: start)) == [[3], [4]])
    #expect(queue.nextWake(now: start) == later)
    #expect(ids(queue.begin(now: later)) == [[1]])
  }

  @Test func `a hook has at most four attempts at once, and all hooks together sixteen`() {
    let jobs = (0..<10).map { JobName("job\($0)") }
    let hooks = (0..<6).map { HookName("h\($0)") }
    var id: Int64 = 0
    let deliveries = hooks.flatMap { hook in
      jobs.map { job in
        id += 1
        return delivery(id, hook, job)
      }
    }
    var queue = queue(hooks.map { self.hook($0) }, deliveries)
    let starts = queue.begin(now: start)
    #expect(starts.count == DeliveryQueue.atOnceMax)
    let counts = hooks.map { name in starts.count { $0.hook == name } }
    #expect(counts == [4, 4, 4, 2, 1, 1])
    #expect(queue.nextWake(now: start) == nil)
  }

  /// A delivery to a broken sink occupies its place until it times out. At least one place stays
  /// free
  @Test func `broken sinks leave room for others`() throws {
    let down = (0..<12).map { HookName("down\($0)") }
    var id: Int64 = 0
    let deliveries = down.flatMap { hook in
      (0..<10).map { job in
        id += 1
        return delivery(id, hook, JobName("job\(job)"))
      }
    }
    var queue = queue((down + ["up"]).map { hook($0) }, deliveries)
    #expect(queue.begin(now: start).count == 15)
    queue.add(delivery(1000, "up", "a"))
    queue.add(delivery(1001, "up", "b"))
    let begun = queue.begin(now: start)
    #expect(ids(begun) == [[1000]])
    queue.remove([1000])
    queue.end(try #require(begun.first))
    #expect(ids(queue.begin(now: start)) == [[1001]])
  }

  @Test func `a hook that is the only one with deliveries has four attempts at once`() {
    for (hookCount, expected) in [(1, 4), (13, 4), (40, 4)] {
      let hooks = (0..<hookCount).map { hook("h\($0)") }
      var queue = queue(hooks, (0..<10).map { delivery(Int64($0), "h0", JobName("job\($0)")) })
      #expect(queue.begin(now: start).count == expected)
    }
  }

  @Test func `a digest includes all jobs of its hook, and never changes`() {
    let hour = hook("mail") { $0.batching = .digest(.seconds(3600)) }
    let end = start + .seconds(3600)
    var queue = queue(
      [hour], [delivery(1, "mail", "a", at: end), delivery(2, "mail", "b", at: end)])
    #expect(queue.begin(now: start).isEmpty)
    #expect(queue.nextWake(now: start) == end)
    queue.add(delivery(3, "mail", "a", at: end + .seconds(3600), createdAt: end))
    let made = queue.begin(now: end)
    #expect(ids(made) == [[1, 2]])
    #expect(made[0].isNewDigest)
    #expect(made[0].deliveries.map(\.digest) == [1, 1])
    for var delivery in made[0].deliveries {
      delivery.nextAttemptAt = end + .seconds(5)
      queue.add(delivery)
    }
    queue.end(made[0])
    // Later deliveries do not join a digest that was tried, because the digest keeps the key of its
    // first content.
    let again = queue.begin(now: end + .seconds(7200))
    #expect(ids(again) == [[1, 2]])
    #expect(!again[0].isNewDigest)
    queue.remove([1, 2])
    queue.end(again[0])
    #expect(ids(queue.begin(now: end + .seconds(7200))) == [[3]])
  }

  @Test func `a rate allows that many deliveries in its period, and then the next ones`() {
    let slow = hook("x") { $0.rate = Rate(amount: 2, period: .hour) }
    var queue = queue([slow], (1...4).map { delivery($0, "x", JobName("job\($0)")) })
    #expect(ids(queue.begin(now: start)) == [[1], [2]])
    #expect(queue.nextWake(now: start) == start + .seconds(3600))
    #expect(queue.begin(now: start + .seconds(3599)).isEmpty)
    #expect(ids(queue.begin(now: start + .seconds(3600))) == [[3], [4]])
  }

  @Test func `a rate continues from another process, to a 240th of its period`() throws {
    let rate = Rate(amount: 3, period: .hour)
    let slow = hook("x") { $0.rate = rate }
    var queue = queue([slow, hook("y")], (1...3).map { delivery($0, "x", JobName("job\($0)")) })
    #expect(queue.hooksWithoutPace == ["x"])
    for offset in [0, 7, 100] {
      #expect(queue.begin(now: start + .seconds(offset)).count == (offset == 0 ? 3 : 0))
    }
    let kept = try #require(queue.encodedPace(of: "x", now: start + .seconds(100)))
    #expect(queue.encodedPace(of: "y", now: start) == nil)
    var next = self.queue([slow, hook("y")], [delivery(4, "x"), delivery(5, "y")])
    #expect(next.hooksWithoutPace == ["x"])
    next.setPace(try #require(DeliveryPace(decoding: kept)), of: "x")
    #expect(DeliveryPace.opensAt(keptIn: kept) == start + .seconds(3600))
    #expect(next.hooksWithoutPace == [])
    #expect(ids(next.begin(now: start + .seconds(100))) == [[5]])
    let opensAt = try #require(next.nextWake(now: start + .seconds(100)))
    #expect((start + .seconds(3600)...start + .seconds(3615)).contains(opensAt))
    #expect(ids(next.begin(now: opensAt + .milliseconds(-1))) == [])
    #expect(ids(next.begin(now: opensAt)) == [[4]])
  }

  @Test func `a rate allows the same number, however many processes store it`() throws {
    let rate = Rate(amount: 360, period: .hour)
    var pace = DeliveryPace()
    for number in 0..<360 {
      let now = start + .seconds(10 * number)
      #expect(pace.opensAt(rate, now: now) == nil)
      pace.begin(rate, now: now)
      pace = try #require(DeliveryPace(decoding: pace.encoded(rate, now: now)))
    }
    let opensAt = try #require(pace.opensAt(rate, now: start + .seconds(3590)))
    #expect((start + .seconds(3600)...start + .seconds(3615)).contains(opensAt))
  }

  @Test func `a large rate needs few stored bytes, and an invalid pace is refused`() throws {
    let rate = Rate(amount: 100_000, period: .day)
    var pace = DeliveryPace()
    for number in 0..<5000 { pace.begin(rate, now: start + .seconds(17 * number)) }
    let now = start + .seconds(17 * 5000)
    let kept = pace.encoded(rate, now: now)
    #expect(kept.count < 5000)
    let small = Rate(amount: 5000, period: .day)
    let decoded = try #require(DeliveryPace(decoding: kept))
    #expect(try #require(decoded.opensAt(small, now: now)) >= start + .seconds(86_400))
    #expect(decoded.opensAt(Rate(amount: 5001, period: .day), now: now) == nil)
    for length in 0..<60 {
      #expect(DeliveryPace(decoding: Array(kept.prefix(length))) == nil)
    }
    for pair in [(Int64(0), Int64.max), (0, -1), (.max, 1), (.min, 1)] {
      var writer = ValueWriter()
      writer.beginArray(count: 2)
      writer.write(pair.0)
      writer.write(pair.1)
      #expect(DeliveryPace(decoding: writer.bytes) == nil)
    }
    #expect(DeliveryPace.opensAt(keptIn: kept) == nil)
    for time in [Int64.max, .min, -1] {
      var writer = ValueWriter()
      writer.beginArray(count: 1)
      writer.write(time)
      #expect(DeliveryPace.opensAt(keptIn: writer.bytes) == nil)
    }
    #expect(DeliveryPace.opensAt(keptIn: []) == nil)
  }

  /// A random generator. The same seed gives the same numbers.
  private struct Chance {
    var state: UInt64

    mutating func next(below count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
  }

  @Test(arguments: 1...40)
  func `no failure loses, repeats or reorders a delivery`(seed: UInt64) {
    var chance = Chance(state: seed)
    let hooks = [
      hook("x"), hook("y") { $0.batching = .digest(.seconds(10)) },
      hook("z") { $0.rate = Rate(amount: 20, period: .hour) },
    ]
    var queue = DeliveryQueue()
    queue.setHooks(hooks)
    var now = start
    var underWay: [DeliveryQueue.Start] = []
    var delivered: [Delivery] = []
    var added = 0
    var steps = 0
    while added < 150 || queue.count > 0, steps < 20_000 {
      steps += 1
      if added < 150, chance.next(below: 3) == 0 {
        added += 1
        let hook = hooks[chance.next(below: hooks.count)]
        queue.add(
          delivery(
            Int64(added), hook.name, JobName("job\(chance.next(below: 3))"),
            at: hook.notBefore(now),
            createdAt: now))
      }
      let starts = queue.begin(now: now)
      for start in starts where start.isNewDigest {
        for delivery in start.deliveries { queue.add(delivery) }
      }
      underWay += starts
      if !underWay.isEmpty {
        let start = underWay.remove(at: chance.next(below: underWay.count))
        if chance.next(below: 3) == 0 {
          for delivery in start.deliveries {
            queue.add(
              DeliveryRetry.failed(
                delivery, DeliveryFailure("down"), deadAfter: .seconds(1_000_000_000), now: now,
                chance: Double(chance.next(below: 100)) / 100))
          }
        } else {
          delivered += start.deliveries
          queue.remove(Set(start.deliveries.map(\.id)))
        }
        queue.end(start)
      } else {
        now = max(queue.nextWake(now: now) ?? now, now + .seconds(Int64(chance.next(below: 5))))
      }
    }
    #expect(delivered.map(\.id).sorted() == (1...150).map(Int64.init))
    for order in Dictionary(grouping: delivered, by: { "\($0.hook) \($0.job)" }).values {
      #expect(order.map(\.id) == order.map(\.id).sorted())
    }
  }

  @Test func `a new list of hooks applies to the waiting deliveries`() {
    var queue = queue([], [delivery(1, "x"), delivery(2, "y")])
    #expect(queue.begin(now: start).isEmpty)
    #expect(queue.count == 0)
    queue.setHooks([hook("y")])
    #expect(ids(queue.begin(now: start)) == [[2]])
  }

  @Test func `a shorter digest sends waiting deliveries at its end, in order`() {
    let hour = Duration.seconds(3600)
    let end = start + hour
    var queue = queue(
      [hook("x") { $0.batching = .digest(hour) }],
      [delivery(1, "x", at: end), delivery(2, "x", "b", at: end)])
    #expect(queue.nextWake(now: start) == end)
    #expect(queue.takeRetimed() == [:])
    queue.setHooks([hook("x") { $0.batching = .digest(.seconds(60)) }])
    let soon = start + .seconds(60)
    #expect(queue.nextWake(now: start) == soon)
    #expect(queue.takeRetimed() == [1: soon, 2: soon])
    #expect(queue.takeRetimed() == [:])
    queue.add(delivery(3, "x", at: start + .seconds(30)))
    #expect(ids(queue.begin(now: soon)) == [[1, 2, 3]])
  }

  @Test
  func
    `a hook without its digest sends immediately, and a longer digest delays no waiting delivery`()
  {
    let end = start + .seconds(3600)
    let digest = hook("x") { $0.batching = .digest(.seconds(3600)) }
    var queue = queue([digest], [delivery(1, "x", at: end), delivery(2, "x", "b", at: end)])
    queue.setHooks([hook("x") { $0.batching = .digest(.seconds(86_400)) }])
    #expect(queue.nextWake(now: start) == end)
    queue.setHooks([hook("x")])
    #expect(ids(queue.begin(now: start)) == [[1], [2]])
    #expect(queue.takeRetimed() == [1: nil, 2: nil])
  }
}
