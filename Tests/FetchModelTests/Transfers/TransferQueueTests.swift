import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct TransferQueueTests {
  private static let now = Timestamp(seconds: 1_795_000_000)
  private let idle = TransferQueue.ProcessEnvironment(now: now)

  private func queue(
    _ order: TransferOrder = .queued, atOnce: Int = 64, sizes: [Int64?], host: String = "a.example"
  ) throws -> TransferQueue {
    var settings = TransferSettings()
    settings.order = order
    settings.atOnceMax = atOnce
    var queue = TransferQueue(settings)
    for (index, size) in sizes.enumerated() {
      let record = try Transfers.record(Int64(index + 1), to: "f\(index)", size: size)
      queue.set(record, hostname: host)
    }
    return queue
  }

  private func starts(
    _ queue: inout TransferQueue, _ around: TransferQueue.ProcessEnvironment? = nil
  ) -> [Int64] {
    var started: [Int64] = []
    while let id = queue.next(around ?? idle) { started.append(id) }
    return started
  }

  @Test(
    arguments: [
      (TransferOrder.queued, [1, 2, 3, 4, 5]), (.smallest, [4, 2, 1, 3, 5]),
      (.largest, [5, 3, 1, 2, 4]),
    ] as [(TransferOrder, [Int64])])
  func `transfers start in the configured order`(order: TransferOrder, wanted: [Int64]) throws {
    var queue = try queue(order, sizes: [500, 20, 700, 0, nil])
    #expect(starts(&queue) == wanted)
  }

  @Test func `the total number of active transfers is limited`() throws {
    var queue = try queue(atOnce: 2, sizes: [1, 1, 1])
    #expect(starts(&queue) == [1, 2])
    queue.remove(1)
    #expect(starts(&queue) == [3])
    #expect((queue.count, queue.runningCount, queue.waitingCount) == (2, 2, 0))
  }

  @Test func `an arrived transfer leaves its place to another, until too many have arrived`()
    throws
  {
    var queue = try queue(atOnce: 2, sizes: Array(repeating: 1, count: 100))
    var arrived: [Int64] = []
    while let id = queue.next(idle) {
      queue.arrived(id)
      queue.arrived(id)
      arrived.append(id)
    }
    #expect(arrived == Array(1...64))
    #expect((queue.count, queue.runningCount, queue.waitingCount) == (100, 0, 36))
    queue.remove(1)
    #expect(starts(&queue) == [65, 66])
    #expect((queue.count, queue.runningCount, queue.waitingCount) == (99, 2, 34))
  }

  @Test func `transfers are limited by hostname, but copies only by the total`() throws {
    var queue = TransferQueue()
    for (id, host) in [(1, "a"), (2, "a"), (3, "b"), (4, ""), (5, "")] as [(Int64, String)] {
      queue.set(try Transfers.record(id, to: "f\(id)"), hostname: host)
    }
    let around = TransferQueue.ProcessEnvironment(now: Self.now, placesAt: { _ in 1 })
    #expect(starts(&queue, around) == [1, 3, 4, 5])
    queue.remove(1)
    #expect(starts(&queue, around) == [2])
  }

  @Test func `a held transfer of one job delays no other`() throws {
    let until = Self.now + .seconds(60)
    var queue = TransferQueue()
    for (id, job) in [(1, "a"), (2, "b"), (3, "a")] as [(Int64, String)] {
      let request = try Transfers.record(id, to: "f\(id)").request
      queue.set(
        TransferRecord(id: id, job: JobName(job), request: request, createdAt: Self.now),
        hostname: "h")
    }
    let around = TransferQueue.ProcessEnvironment(
      now: Self.now, closedUntil: { job, _ in job == "a" ? until : nil })
    #expect(starts(&queue, around) == [2])
    #expect(queue.nextWake(around) == until)
    #expect(queue.ids(of: "a") == [1, 3])
    #expect(queue.jobs.sorted() == ["a", "b"])
    #expect(starts(&queue) == [1, 3])
  }

  @Test func `no job gets the last place while a transfer of another job could start`() throws {
    var queue = try queue(atOnce: 4, sizes: [1, 1, 1, 1, 1, 1])
    queue.set(try Transfers.record(7, job: "other", to: "x"), hostname: "b.example")
    let held = TransferQueue.ProcessEnvironment(now: Self.now, isHeld: { $0 == "other" })
    var second = queue
    #expect(starts(&second, held) == [1, 2, 3, 4])
    second.remove(2)
    #expect(starts(&second) == [7])
    #expect(starts(&queue) == [1, 2, 3, 7])
    queue.remove(2)
    #expect(starts(&queue) == [4])
    queue.remove(7)
    #expect(starts(&queue) == [5])
  }

  @Test func `transfers in the middle may be removed, and sizes determine the next one`() throws {
    var queue = try queue(.smallest, atOnce: 1_000, sizes: (0..<600).map { Int64($0 * 7 % 600) })
    for id in stride(from: Int64(1), through: 600, by: 3) { queue.remove(id) }
    let left = (Int64(1)...600).filter { $0 % 3 != 1 }
    #expect(starts(&queue) == left.sorted { ($0 - 1) * 7 % 600 < ($1 - 1) * 7 % 600 })
  }

  @Test func `a waiting transfer starts at its time`() throws {
    var queue = try queue(sizes: [1])
    var record = try Transfers.record(9, to: "late")
    record.nextAttemptAt = Self.now + .seconds(10)
    queue.set(record, hostname: "a.example")
    #expect(starts(&queue) == [1])
    #expect(queue.nextWake(idle) == Self.now + .seconds(10))
    #expect(starts(&queue, .init(now: Self.now + .seconds(10))) == [9])
    #expect(queue.nextWake(idle) == nil)
  }

  @Test func `no transfer of a hostname starts before the hostname's time`() throws {
    var queue = try queue(sizes: [1])
    let until = Self.now + .seconds(100)
    let around = TransferQueue.ProcessEnvironment(now: Self.now, closedUntil: { _, _ in until })
    #expect(starts(&queue, around) == [])
    #expect(queue.nextWake(around) == until)
    #expect(starts(&queue, .init(now: until, closedUntil: { _, _ in until })) == [1])
  }

  @Test func `transfers of a held job are skipped`() throws {
    var queue = try queue(sizes: [1])
    queue.set(try Transfers.record(2, job: "other", to: "x"), hostname: "a.example")
    var waiting = try Transfers.record(3, to: "y")
    waiting.nextAttemptAt = Self.now + .seconds(10)
    queue.set(waiting, hostname: "a.example")
    let around = TransferQueue.ProcessEnvironment(now: Self.now, isHeld: { $0 == "films" })
    #expect(starts(&queue, around) == [2])
    #expect(queue.nextWake(around) == nil)
    #expect(starts(&queue) == [1])
  }

  @Test(arguments: 1...20) func `the counts are right after any events`(seed: Int) throws {
    var chance = SeededGenerator(seed: UInt64(seed))
    var queue = try queue(.smallest, atOnce: 5, sizes: [])
    var running: Set<Int64> = []
    var pending: Set<Int64> = []
    var due: [Int64: Timestamp] = [:]
    for step in 0..<600 {
      let now = Self.now + .seconds(Int64(step))
      let around = TransferQueue.ProcessEnvironment(now: now, placesAt: { _ in 2 })
      let id = Int64(chance.below(40))
      switch chance.below(4) {
      case 0,
        1 where !running.contains(id):
        var record = try Transfers.record(id, to: "f\(id)", size: Int64(chance.below(9)))
        if chance.isOnce(in: 3) { record.nextAttemptAt = now + .seconds(Int64(chance.below(50))) }
        queue.set(record, hostname: "host\(id % 4)")
        due[id] = record.nextAttemptAt
        pending.insert(id)
        running.remove(id)
      case 2:
        queue.remove(id)
        due[id] = nil
        pending.remove(id)
        running.remove(id)
      default:
        if let next = queue.next(around) {
          #expect(pending.contains(next))
          #expect(running.insert(next).inserted)
        }
        due = due.filter { $0.value > now }
      }
      #expect(queue.nextWake(around) == due.values.min())
      #expect(queue.count == pending.count)
      #expect(queue.runningCount == running.count)
      #expect(Set(queue.ids.filter(queue.isRunning)) == running)
      #expect(running.count <= 5)
      for host in 0..<4 { #expect(running.count { Int($0) % 4 == host } <= 2) }
    }
  }
}
