import FetchTestSupport
import Synchronization
import Testing

@testable import FetchEngine

@Suite(.timeLimit(.minutes(5))) struct DrainedServiceTests {
  /// Services that note what happens to them.
  private final class Bench: Sendable {
    let clock = ManualClock()
    private let notes = Mutex<[String]>([])
    private let stop = AsyncStream<Never>.makeStream()

    var seen: [String] { notes.withLock { $0 } }
    func note(_ text: String) { notes.withLock { $0.append(text) } }

    func wait(for text: String) async {
      while !seen.contains(text) { await Task.yield() }
    }

    func service(_ name: String, ends: Bool = true) -> DrainedService {
      let (drained, drainer) = AsyncStream<Never>.makeStream()
      return DrainedService {
        self.note("drain \(name)")
        if ends { drainer.finish() }
      } work: {
        self.note("begin \(name)")
        for await _ in drained {}
        self.note("end \(name)" + (Task.isCancelled ? ", cancelled" : ""))
      }
    }

    func run(_ services: [DrainedService]) async {
      await DrainedService.run(
        services, until: stop.stream, grace: .seconds(24), clock: clock)
    }

    func begin(_ services: [DrainedService]) -> Task<Void, Never> {
      Task { await self.run(services) }
    }

    func finish() { stop.continuation.finish() }
  }

  @Test func `each service has ended before the one that was started earlier is drained`() async {
    let bench = Bench()
    let running = bench.begin([
      bench.service("a"), DrainedService { bench.note("stop b") }, bench.service("c"),
    ])
    await bench.wait(for: "begin a")
    await bench.wait(for: "begin c")
    bench.finish()
    await running.value
    #expect(
      bench.seen.suffix(5) == ["drain c", "end c", "stop b", "drain a", "end a"], "\(bench.seen)")
  }

  @Test func `after the grace, the services that are left are cancelled and stopped`() async {
    let bench = Bench()
    let running = bench.begin([
      DrainedService { bench.note("stop a") }, bench.service("b", ends: false),
    ])
    await bench.wait(for: "begin b")
    bench.finish()
    await bench.wait(for: "drain b")
    await bench.clock.waitForSleeper()
    bench.clock.advance(by: .seconds(23))
    #expect(bench.seen == ["begin b", "drain b"])
    bench.clock.advance(by: .seconds(1))
    await running.value
    #expect(Set(bench.seen.suffix(2)) == ["end b, cancelled", "stop a"])
  }

  @Test func `a cancellation does not wait for the grace`() async {
    let bench = Bench()
    let running = bench.begin([
      DrainedService { bench.note("stop a") }, bench.service("b", ends: false),
    ])
    await bench.wait(for: "begin b")
    running.cancel()
    await running.value
    #expect(bench.seen.contains("end b, cancelled") && bench.seen.contains("stop a"))
  }

  @Test func `a service that ends by itself ends all others`() async {
    let bench = Bench()
    await bench.run([
      bench.service("a"), DrainedService(drain: {}, work: { await bench.wait(for: "begin a") }),
      bench.service("c"),
    ])
    #expect(bench.seen.contains("end a") && bench.seen.contains("end c"))
  }
}
