import FetchEngine

/// The result of requests over a trace: how long items waited, and what a reader missed.
struct TraceScore {
  /// The time in seconds from which items count. Items that were available earlier do not count,
  /// because a planner begins without data about the sources.
  static let from = 2 * 86_400.0

  private(set) var feeds = Waiting()
  private(set) var values = Waiting()
  /// The mean minutes that an item of a source waited, for each source that published items.
  private(set) var sourceMinutes: [Double] = []
  private(set) var requestCount = 0
  /// The number of requests in an outage.
  private(set) var failedCount = 0
  /// The times in seconds from the end of each outage in which a request failed to the next
  /// successful request, or to the end of the trace. Only outages between `from` and the end of the
  /// trace count.
  private(set) var recoveries: [Double] = []
  private(set) var readCount = 0
  private(set) var missedCount = 0
  private(set) var overBudget = 0
  private(set) var gapsBroken = 0

  /// The waiting times of some sources' items.
  struct Waiting {
    var seconds = 0.0
    var itemCount = 0

    var meanMinutes: Double { seconds / 60 / Double(max(1, itemCount)) }
  }

  var meanMinutes: Double {
    Waiting(
      seconds: feeds.seconds + values.seconds, itemCount: feeds.itemCount + values.itemCount
    ).meanMinutes
  }
  /// The mean waiting time in which each source has the same weight, regardless of its number of
  /// items.
  var meanSourceMinutes: Double {
    sourceMinutes.reduce(0, +) / Double(max(1, sourceMinutes.count))
  }
  var missedShare: Double { Double(missedCount) / Double(max(1, readCount)) }

  /// - Parameter fetches: the requests in the order of their times.
  init(_ trace: Trace, _ fetches: [SimulatedFetch]) {
    var times = [[Double]](repeating: [], count: trace.sources.count)
    var failed = times
    for fetch in fetches {
      let isDown = trace.sources[fetch.source].outages.contains {
        $0.from <= fetch.time && fetch.time < $0.to
      }
      if isDown {
        failed[fetch.source].append(fetch.time)
      } else {
        times[fetch.source].append(fetch.time)
      }
    }
    requestCount = fetches.count
    failedCount = failed.map(\.count).reduce(0, +)
    let reads = Dictionary(grouping: trace.reads, by: \.group).mapValues { $0.map(\.time) }
    for ((source, times), failed) in zip(zip(trace.sources, times), failed) {
      recover(source, times, failed: failed, end: trace.duration)
      count(source, times, reads: reads[source.group] ?? [], end: trace.duration)
    }
    countRules(trace, fetches)
  }

  private mutating func count(
    _ source: TraceSource, _ times: [Double], reads: [Double], end: Double
  ) {
    var time = 0
    var read = 0
    var waiting = Waiting()
    defer {
      if source.datesItems { feeds.add(waiting) } else { values.add(waiting) }
      if waiting.itemCount > 0 { sourceMinutes.append(waiting.meanMinutes) }
    }
    // An item published in an outage becomes available when the outage ends. If another outage has
    // begun by then, the item becomes available when that outage ends.
    let available = source.published.map { item in
      source.outages.reduce(item) { $1.from <= $0 && $0 < $1.to ? $1.to : $0 }
    }.sorted()
    for item in available where item >= Self.from {
      while time < times.count, times[time] < item { time += 1 }
      let got = time < times.count ? times[time] : nil
      waiting.seconds += (got ?? end) - item
      waiting.itemCount += 1
      while read < reads.count, reads[read] < item { read += 1 }
      guard read < reads.count else { continue }
      readCount += 1
      if got.map({ $0 > reads[read] }) ?? true { missedCount += 1 }
    }
  }

  /// Records the recovery from an outage. An outage in which no request failed has no recovery.
  private mutating func recover(
    _ source: TraceSource, _ times: [Double], failed: [Double], end: Double
  ) {
    for outage in source.outages where outage.from >= Self.from && outage.to < end {
      guard failed.contains(where: { outage.from <= $0 && $0 < outage.to }) else { continue }
      recoveries.append((times.first { $0 >= outage.to } ?? end) - outage.to)
    }
  }

  private mutating func countRules(_ trace: Trace, _ fetches: [SimulatedFetch]) {
    var tokens = trace.burst
    var last = 0.0
    var lastOfHost: [String: Double] = [:]
    for fetch in fetches {
      tokens = min(trace.burst, tokens + (fetch.time - last) * trace.requestsPerHour / 3600)
      last = fetch.time
      if tokens < 1 - 1e-6 { overBudget += 1 }
      tokens = max(0, tokens - 1)
      let host = trace.sources[fetch.source].host
      if let before = lastOfHost[host], fetch.time - before < trace.hostGap - 1e-6 {
        gapsBroken += 1
      }
      lastOfHost[host] = fetch.time
    }
  }
}

extension TraceScore.Waiting {
  mutating func add(_ other: Self) {
    seconds += other.seconds
    itemCount += other.itemCount
  }
}
