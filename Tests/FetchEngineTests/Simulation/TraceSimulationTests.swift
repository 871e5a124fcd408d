import FetchSchedule
import FetchValues
import Testing

@testable import FetchEngine

@Suite struct TraceSimulationTests {
  /// Returns a small trace with every feature that a trace may have.
  private func trace(seed: UInt64) -> Trace {
    var generator = SplitMix(state: seed)
    let duration = 86_400.0
    let sources = (0..<Int.random(in: 1...40, using: &generator)).map { index in
      let gap = Double.random(in: 120...40_000, using: &generator)
      var published: [Double] = []
      var time = -10 * gap
      while time < duration {
        published.append(time.rounded())
        time += Double.random(in: 0...2 * gap, using: &generator)
      }
      let from = Double.random(in: 0...duration, using: &generator)
      let isDown = Bool.random(using: &generator)
      return TraceSource(
        id: "s\(index)", host: "h\(Int.random(in: 0...9, using: &generator))",
        group: "g\(index % 3)", datesItems: index % 4 != 0, window: 1 + index % 20,
        timeToLive: index % 5 == 0 ? 3600 : nil, published: published,
        outages: isDown
          ? [.init(from: from, to: from + 20_000, retryAfter: index % 2 == 0 ? 900 : nil)] : [])
    }
    let reads = (0..<30).map { index in
      TraceRead(
        time: Double(index) * 2500 + Double.random(in: 0...900, using: &generator),
        group: "g\(index % 4)")
    }
    return Trace(
      duration: duration, requestsPerHour: Double.random(in: 1...25, using: &generator),
      burst: Double.random(in: 1...30, using: &generator),
      hostGap: Double.random(in: 0...30, using: &generator), sources: sources, reads: reads)
  }

  private func fetches(
    _ trace: Trace, _ policy: TracePolicy = .adaptive, usesReads: Bool = true
  ) -> [SimulatedFetch] {
    var simulation = TraceSimulation(trace, policy: policy, usesReads: usesReads)
    var fetches: [SimulatedFetch] = []
    simulation.run { fetches.append($0) }
    return fetches
  }

  @Test(arguments: 0..<12, TracePolicy.allCases)
  func `fetches never exceed the budget or break the gap of a hostname`(
    seed: Int, policy: TracePolicy
  ) {
    let trace = trace(seed: UInt64(seed))
    let fetches = fetches(trace, policy)
    var tokens = trace.burst
    var last = 0.0
    var hosts: [String: Double] = [:]
    for fetch in fetches {
      #expect(fetch.time >= last && fetch.time < trace.duration)
      tokens = min(trace.burst, tokens + (fetch.time - last) * trace.requestsPerHour / 3600) - 1
      #expect(tokens > -1e-6)
      last = fetch.time
      let host = trace.sources[fetch.source].host
      if let before = hosts[host] { #expect(fetch.time - before >= trace.hostGap - 1e-6) }
      hosts[host] = fetch.time
    }
    #expect(!fetches.isEmpty)
  }

  /// Returns the seconds between the fetches of one source in a day. The source publishes every
  /// `gap` seconds and has a ttl of an hour.
  private func gaps(publishedEvery gap: Double) -> [Double] {
    let published = stride(from: -40 * gap, to: 86_400, by: gap).map { $0 }
    let source = TraceSource(
      id: "s", host: "h", group: "g", datesItems: true, window: 20, timeToLive: 3600,
      published: published)
    let trace = Trace(
      duration: 86_400, requestsPerHour: 6, burst: 6, hostGap: 0, sources: [source], reads: [])
    let fetches = fetches(trace)
    #expect(fetches.count > 5)
    return zip(fetches, fetches.dropFirst()).map { $1.time - $0.time }
  }

  @Test func `a ttl is respected as in real runs, unless items usually appear within it`() {
    // A fetch may be a millisecond early, since due times are whole milliseconds.
    #expect(gaps(publishedEvery: 86_400).allSatisfy { $0 >= 3599.999 })
    #expect(gaps(publishedEvery: 1200).contains { $0 < 1800 })
  }

  @Test func `the same trace gives the same fetches`() {
    let trace = trace(seed: 99)
    #expect(fetches(trace) == fetches(trace))
  }

  @Test func `the planner uses no item of the future`() throws {
    let whole = trace(seed: 7)
    var cut = whole
    let end = 40_000.0
    for index in cut.sources.indices {
      cut.sources[index].published.removeAll { $0 > end }
      cut.sources[index].outages.removeAll { $0.from > end }
    }
    cut.reads.removeAll { $0.time > end }
    let before = fetches(whole).filter { $0.time <= end }
    #expect(before == fetches(cut).filter { $0.time <= end })
  }

  @Test func `without a budget a silent source is checked at the longest allowed interval`() {
    let source = TraceSource(
      id: "s", host: "h", group: "", datesItems: true, window: 30, published: [])
    let trace = Trace(
      duration: 60 * 86_400, requestsPerHour: 1, burst: 1, hostGap: 0, sources: [source], reads: [])
    func lastGap(_ bounds: AdaptiveBounds) -> Double {
      var simulation = TraceSimulation(
        trace, policy: .adaptive, usesReads: false, withoutBudget: bounds)
      var times: [Double] = []
      simulation.run { times.append($0.time) }
      return zip(times, times.dropFirst()).map { $1 - $0 }.last ?? 0
    }
    // A fetch may be a millisecond early, since due times are whole milliseconds.
    #expect(abs(lastGap(.withoutBudget) - 6 * 3600) <= 0.001)
    #expect(lastGap(.withBudget) > 6 * 3600)
  }

  @Test func `without a budget the number of sources does not slow down any source`() {
    func count(_ sources: Int) -> Int {
      let trace = Trace(
        duration: 2 * 86_400, requestsPerHour: 1, burst: 1, hostGap: 0,
        sources: (0..<sources).map { number in
          TraceSource(
            id: "s\(number)", host: "h\(number)", group: "", datesItems: true, window: 30,
            published: Array(stride(from: -36_000, to: 2 * 86_400, by: 3600)))
        }, reads: [])
      var simulation = TraceSimulation(
        trace, policy: .adaptive, usesReads: false, withoutBudget: .withoutBudget)
      var count = 0
      simulation.run { if $0.source == 0 { count += 1 } }
      return count
    }
    #expect(count(1) > 40)
    #expect(count(30) >= count(1))
  }

  @Test func `without a budget the fixed interval is an hour`() {
    let trace = trace(seed: 5)
    var simulation = TraceSimulation(
      trace, policy: .fixed, usesReads: false, withoutBudget: .withoutBudget)
    var times: [Double] = []
    simulation.run { if $0.source == 0 { times.append($0.time) } }
    #expect(times.count == 24)
  }

  @Test func `sources that publish more are fetched more`() {
    func source(_ id: String, every gap: Double) -> TraceSource {
      TraceSource(
        id: id, host: id, group: "", datesItems: true, window: 30,
        published: Array(stride(from: -20 * gap, to: 5 * 86_400, by: gap)))
    }
    let trace = Trace(
      duration: 5 * 86_400, requestsPerHour: 4, burst: 4, hostGap: 2,
      sources: [source("fast", every: 1800), source("slow", every: 86_400)], reads: [])
    var counts = [0, 0]
    for fetch in fetches(trace) { counts[fetch.source] += 1 }
    #expect(counts[0] > 3 * counts[1])
    #expect(counts[1] >= 5)
  }
}

struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
