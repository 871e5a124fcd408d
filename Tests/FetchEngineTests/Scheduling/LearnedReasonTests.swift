import FetchHost
import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

@testable import FetchEngine

/// Tests of what `explain` reports about a learned schedule in addition to its pace.
@Suite(.timeLimit(.minutes(5))) struct LearnedReasonTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench(inMemory: true) }

  private static let yaml = """
    jobs:
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: adaptive}
    """

  /// Returns the sentences of `explain` after two days of the given answers, and the times of the
  /// runs.
  private func twoDays(
    _ yaml: String = yaml, _ answer: @escaping @Sendable (Duration) -> Site.Answer
  ) async throws -> (said: [String], starts: [Duration]) {
    let clock = bench.clock
    bench.site.at("h1/a") { _ in answer(clock.now.offset) }
    let open = try await bench.serve(yaml)
    await open.pass(.seconds(2 * 86_400))
    let lines = Mutex<[String]>([])
    let control = open.service.control(reload: { .done })
    _ = await control.answer(.explain(job: "a")) { value in
      if let line = ExplainLine(value) { lines.withLock { $0.append(line.sentence) } }
    }
    try await open.stop()
    return (lines.withLock { $0 }, open.starts("a"))
  }

  /// Returns a feed without dates that changes every three hours, and the time of its last change.
  private static func undated(at time: Duration) -> (body: String, changedAt: Timestamp) {
    let count = Int(time / .seconds(10_800))
    return (
      Site.feed(items: count + 1), ServiceBench.startAt + .seconds(10_800 * count - 60)
    )
  }

  @Test func `a Last-Modified that changes with the items is used for a source without dates`()
    async throws
  {
    let (said, starts) = try await twoDays { time in
      let source = Self.undated(at: time)
      return Site.Answer(
        headers: ["Last-Modified: \(HTTPDate.text(source.changedAt))"], body: source.body)
    }
    #expect(
      said.contains(
        "Fewer than half of its new items had a readable date; the header Last-Modified is used as"
          + " the time of the items' last change."),
      "\(said)")
    #expect(starts.count > 10)
  }

  @Test func `a Last-Modified that changes without the items is not used`() async throws {
    let (said, _) = try await twoDays { time in
      let at = ServiceBench.startAt + (time - .seconds(30))
      return Site.Answer(headers: ["Last-Modified: \(HTTPDate.text(at))"])
    }
    #expect(
      said.contains(
        "Fewer than half of its new items had a readable date. The header Last-Modified does not"
          + " fit the changes of the items, so it is ignored."
      ),
      "\(said)")
  }

  @Test func `the rate of a source that published nothing for a year is only assumed`()
    async throws
  {
    let items = (1...2).map {
      "<item><guid>\($0)</guid><pubDate>Thu, 20 Nov 2025 0\($0):00:00 GMT</pubDate></item>"
    }
    let (said, _) = try await twoDays { _ in
      Site.Answer(
        body: "<rss version=\"2.0\"><channel><title>t</title>\(items.joined())</channel></rss>")
    }
    #expect(
      said.contains {
        $0.hasPrefix("It is checked about every ")
          && $0.hasSuffix(
            " is assumed: no run has shown yet how often its source publishes.")
      }, "\(said)")
  }

  @Test func `without Last-Modified, no sentence mentions it`() async throws {
    let (said, _) = try await twoDays { Site.Answer(body: Self.undated(at: $0).body) }
    #expect(!said.contains { $0.contains("Last-Modified") })
  }

  @Test func `an outage is checked at least every two hours on its first day, then every four`()
    async throws
  {
    let start = Duration.seconds(86_400 + 40_000)
    let young = try await twoDays { time in
      time < start ? Site.Answer() : Site.Answer(status: 503)
    }
    #expect(
      young.said.contains {
        $0.hasPrefix(
          "Its runs have been failing for less than a day: the delay before the next retry is at"
            + " most ")
      }, "\(young.said)")
    let old = try await twoDays { _ in Site.Answer(status: 503) }
    #expect(
      old.said.contains {
        $0.hasPrefix(
          "Its runs have been failing for more than a day: the delay before the next retry is at"
            + " most ")
      }, "\(old.said)")
    let gaps = zip(old.starts, old.starts.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 <= .seconds(14_401) }, "\(gaps)")
  }

  @Test(arguments: [true, false])
  func `a failing source is retried soon, also by a command that does not plan ahead`(
    plansAhead: Bool
  ) async throws {
    bench.site.at("h1/a") { _ in Site.Answer(status: 503) }
    let open = try await bench.serve(Self.yaml, plansAhead: plansAhead)
    await open.pass(.seconds(1))
    let schedule = try #require(open.schedule("a"))
    #expect(schedule.dueReason == .backOff(1))
    let delay = try #require(schedule.dueAt) - bench.now
    #expect(delay > .seconds(60) && delay < .seconds(1200), "\(delay)")
    try await open.stop()
  }

  @Test func `without a budget a source that publishes nothing is checked every six hours`()
    async throws
  {
    let still = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title><id>x</id></feed>"
    let free = try await twoDays { _ in Site.Answer(body: still) }
    let gaps = zip(free.starts, free.starts.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 <= .seconds(6 * 3600 + 1) }, "\(gaps)")
  }

  @Test(
    arguments: [
      ([], nil), ([(200, 5)], 5), ([(200, 5), (200, 9)], 9), ([(200, 5), (200, nil)], nil),
      ([(304, nil), (200, 9)], 9), ([(304, nil)], nil), ([(404, nil), (200, 7)], 7),
    ] as [([(Int, Int64?)], Int64?)])
  func `a run's time of change is that of its newest answer, if all answers have one`(
    answers: [(status: Int, at: Int64?)], expected: Int64?
  ) {
    var facts = RunFacts()
    facts.answers = answers.map { answer in
      var fact = HTTPFact(url: "", hostname: "h", status: answer.status)
      fact.notModified = answer.status == 304
      fact.modifiedAt = answer.at.map(Timestamp.init(seconds:))
      return fact
    }
    #expect(facts.modifiedAt == expected.map(Timestamp.init(seconds:)))
  }
}
