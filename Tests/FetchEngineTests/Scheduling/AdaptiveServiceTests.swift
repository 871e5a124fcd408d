import FetchEngine
import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// The sentences of `explain` about a job.
private final class SaidLines: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ value: Value) {
    guard let line = ExplainLine(value) else { return }
    lines.withLock { $0.append(line.sentence) }
  }

  var sentences: [String] { lines.withLock { $0 } }
}

/// Tests of `interval: adaptive` over days of simulated time, with real runs against a server, and
/// with a restart.
@Suite(.timeLimit(.minutes(5))) struct AdaptiveServiceTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench() }

  private static let yaml = "budget: {requests: 10/h}\n" + jobs
  private static let jobs = """
    jobs:
      - {name: busy, plugin: rss, options: {url: "{h1}/busy"}, interval: adaptive}
      - {name: daily, plugin: rss, options: {url: "{h2}/daily"}, interval: adaptive}
      - {name: still, plugin: rss, options: {url: "{h3}/still"}, interval: adaptive}
    """

  /// Makes the server answer with a feed of one item for each `period` until now. The first period
  /// begins five days before the start of the bench, and the feed has at most the newest 31 items.
  /// A punctual item is published at the beginning of its period, and another item later in it.
  private func publish(at place: String, every period: Duration, isPunctual: Bool = true) {
    let (clock, begin) = (bench.clock, ServiceBench.startAt + .seconds(-5 * 86_400))
    bench.site.at(place) { _ in
      let now = ServiceBench.startAt + clock.now.offset
      let count = Int((now - begin) / period)
      let entries = (max(0, count - 30)...count).compactMap { number -> String? in
        let late = isPunctual ? .zero : period * (number * 37 % 97) / 97
        let time = begin + period * number + late
        if time > now { return nil }
        return "<entry><id>\(place)/\(number)</id><title>t</title>"
          + "<updated>\(time)</updated></entry>"
      }
      let body =
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title><id>x</id>"
        + entries.joined() + "</feed>"
      return Site.Answer(body: body)
    }
  }

  /// Returns the number of checks of each job in four days, and the sentences of `explain` about
  /// the busy job.
  private func fourDays(_ yaml: String) async throws -> (asked: [Int], why: [String]) {
    publish(at: "h1/busy", every: .seconds(1800))
    publish(at: "h2/daily", every: .seconds(86_400), isPunctual: false)
    publish(at: "h3/still", every: .seconds(10_000 * 86_400))
    let open = try await bench.serve(yaml)
    await open.pass(.seconds(4 * 86_400))
    let said = SaidLines()
    let control = open.service.control(reload: { .done })
    _ = await control.answer(.explain(job: "busy"), line: { said.add($0) })
    try await open.stop()
    return (["busy", "daily", "still"].map { open.starts($0).count }, said.sentences)
  }

  @Test(arguments: ["", "budget: {requests: 600/h}\n"])
  func `a source is checked as often as its rate deserves, even if the budget allows more`(
    budget: String
  ) async throws {
    let (asked, why) = try await fourDays(budget + Self.jobs)
    // On average, `busy` is checked 40 to 110 times a day, `daily` 8 to 16 times, and `still` once
    // to 12 times.
    #expect((4 * 40...4 * 110).contains(asked[0]), "\(asked)")
    #expect((4 * 8...4 * 16).contains(asked[1]), "\(asked)")
    #expect((4...4 * 12).contains(asked[2]), "\(asked)")
    let end = budget.isEmpty ? ")." : "). The budget is not the limit."
    let pace =
      /It is checked about every 1[0-9] minutes, because its source publishes about [0-9]+ items a day \(learned after [0-9]+ runs/
    #expect(why.contains { $0.prefixMatch(of: pace) != nil && $0.hasSuffix(end) }, "\(why)")
  }

  @Test func `explain reports that the budget limits the pace`() async throws {
    let (asked, why) = try await fourDays("budget: {requests: 2/h}\n" + Self.jobs)
    let requestsMax = 4 * 24 * 2 + 1
    #expect(asked.reduce(0, +) <= requestsMax, "\(asked)")
    #expect(
      why.contains {
        $0.hasPrefix("It is checked about every ")
          && $0.hasSuffix(" The budget does not allow more checks.")
      }, "\(why)")
  }

  @Test func `a new budget applies after the config is reloaded`() async throws {
    let open = try await bench.serve(Self.jobs)
    await open.pass(.seconds(60))
    let limited = try bench.config(Self.yaml)
    try await open.service.reload(limited, bench.prepare(limited), local: .utc)
    let said = SaidLines()
    let control = open.service.control(reload: { .done })
    _ = await control.answer(.explain(job: "busy"), line: { said.add($0) })
    #expect(said.sentences.contains { $0.hasSuffix(" The budget is not the limit.") })
    try await open.stop()
  }

  @Test
  func `sources that publish more are checked more often within the budget, also after a restart`()
    async throws
  {
    publish(at: "h1/busy", every: .seconds(1800))
    publish(at: "h2/daily", every: .seconds(86_400), isPunctual: false)
    publish(at: "h3/still", every: .seconds(10_000 * 86_400))
    let first = try await bench.serve(Self.yaml)
    await first.pass(.seconds(4 * 86_400))
    try await first.stop()
    let asked = ["busy", "daily", "still"].map { first.starts($0).count }
    #expect(asked[0] > 2 * asked[1] && asked[1] > asked[2], "\(asked)")
    // No source is left unchecked for longer than a day.
    #expect(asked[2] >= 4, "\(asked)")
    let requestsMax = 4 * 24 * 10 + 1
    #expect(asked.reduce(0, +) <= requestsMax, "\(asked)")

    let second = try await bench.serve(Self.yaml)
    await second.pass(.seconds(2 * 86_400))
    let later = ["busy", "daily", "still"].map { second.starts($0).count }
    #expect(later[0] > 2 * later[1] && later[1] >= later[2], "\(later)")
    // The learned state survives the restart: the pace of the first days continues.
    #expect(abs(later[0] - asked[0] / 2) <= asked[0] / 4, "\(asked) \(later)")
    try await second.stop()
    // All published items are in the store.
    let items = try StoreReader(at: bench.storePath).items(ItemQuery(job: "busy"))
    let published = 6 * 48 + 28
    #expect(items.count >= published)
  }
}
