import FetchValues

/// A meter of the delay of items: the time from an item's availability to its fetch. For items that
/// were never fetched, the delay ends with the trace.
struct DelayMeter: Equatable, Sendable {
  private let trace: Trace
  /// The index of each source's first item that was published during the trace and was not fetched
  /// yet.
  private var next: [Int]
  private var delays = 0.0
  private var count = 0

  init(_ trace: Trace) {
    self.trace = trace
    next = trace.sources.map { source in
      source.published.firstIndex { $0 >= 0 } ?? source.published.count
    }
  }

  mutating func count(_ fetch: SimulatedFetch) {
    let source = trace.sources[fetch.source]
    if source.outage(at: fetch.time) != nil { return }
    while next[fetch.source] < source.published.count,
      source.published[next[fetch.source]] <= fetch.time
    {
      add(source, source.published[next[fetch.source]], until: fetch.time)
      next[fetch.source] += 1
    }
  }

  private mutating func add(_ source: TraceSource, _ published: Double, until end: Double) {
    // Items that were published during an outage were available when the outage ended.
    delays += max(0, end - (source.outage(at: published)?.to ?? published))
    count += 1
  }

  var meanSeconds: Double {
    var all = self
    for (index, source) in trace.sources.enumerated() {
      for published in source.published[next[index]...] where published < trace.duration {
        all.add(source, published, until: trace.duration)
      }
    }
    return all.count > 0 ? all.delays / Double(all.count) : 0
  }
}
