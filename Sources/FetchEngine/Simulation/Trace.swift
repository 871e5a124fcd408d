import FetchModel
import FetchSchedule

/// A record of the items that sources published, of the outages of the sources, and of the times at
/// which people read.
package struct Trace: Equatable, Sendable {
  /// The duration of the trace in seconds. The time 0 is a Monday at 00:00.
  package var duration: Double
  package var requestsPerHour: Double
  /// The number of requests that a full token bucket allows.
  package var burst: Double
  /// The minimum time in seconds between two requests to one host.
  package var hostGap: Double
  package var sources: [TraceSource]
  /// The times at which people read, in ascending order.
  package var reads: [TraceRead]

  package init(
    duration: Double, requestsPerHour: Double, burst: Double, hostGap: Double,
    sources: [TraceSource], reads: [TraceRead]
  ) {
    self.duration = duration
    self.requestsPerHour = requestsPerHour
    self.burst = burst
    self.hostGap = hostGap
    self.sources = sources
    self.reads = reads
  }
}

/// One source of a trace.
package struct TraceSource: Equatable, Sendable {
  package var id: String
  package var host: String
  package var group: String
  /// Whether the items of the source have dates. If not, the source shows only whether it has
  /// changed and, with `datesChanges`, when it last changed.
  package var datesItems: Bool
  /// Whether the source gives the time of its last change. This applies only to a source without
  /// dated items.
  package var datesChanges: Bool
  /// The maximum number of items that the source shows at once.
  package var window: Int
  package var timeToLive: Double?
  /// The times of the publications before and during the trace, in seconds and in ascending order.
  package var published: [Double]
  package var outages: [Outage]

  package struct Outage: Equatable, Sendable {
    package var from: Double
    package var to: Double
    package var retryAfter: Double?

    package init(from: Double, to: Double, retryAfter: Double? = nil) {
      (self.from, self.to, self.retryAfter) = (from, to, retryAfter)
    }
  }

  package init(
    id: String, host: String, group: String, datesItems: Bool, datesChanges: Bool = false,
    window: Int, timeToLive: Double? = nil, published: [Double], outages: [Outage] = []
  ) {
    self.id = id
    self.host = host
    self.group = group
    self.datesItems = datesItems
    self.datesChanges = datesChanges
    self.window = window
    self.timeToLive = timeToLive
    self.published = published
    self.outages = outages
  }
}

extension TraceSource {
  /// The scheduling hints that the source gives.
  var hints: SourceHints {
    var hints = SourceHints()
    hints.feed.ttl = timeToLive.map { .milliseconds(Int64(min(max($0, 0), 1e12) * 1000)) }
    return hints
  }

  /// Returns the outage of the source at the given time; nil if there is none.
  func outage(at time: Double) -> Outage? {
    outages.first { $0.from <= time && time < $0.to }
  }
}

/// A time at which a person read all sources of a group.
package struct TraceRead: Equatable, Sendable {
  package var time: Double
  package var group: String

  package init(time: Double, group: String) { (self.time, self.group) = (time, group) }
}

/// A token bucket that limits the requests per hour.
struct TraceBucket {
  private let capacity: Double
  private let perSecond: Double
  private var tokens: Double
  private var updatedAt = 0.0

  init(capacity: Double, perHour: Double) {
    self.capacity = capacity
    perSecond = perHour / 3600
    tokens = capacity
  }

  func tokens(at now: Double) -> Double {
    min(capacity, tokens + max(0, now - updatedAt) * perSecond)
  }

  func level(at now: Double) -> Double { tokens(at: now) / capacity }

  /// Returns the first time, `now` or later, at which the bucket has a whole token.
  func ready(at now: Double) -> Double {
    let there = tokens(at: now)
    return there >= 1 ? now : now + (1 - there) / perSecond
  }

  /// Returns the time at which the bucket is full if no token is used until then. A full bucket
  /// loses each new token.
  func full(at now: Double) -> Double {
    now + max(0, capacity - tokens(at: now)) / perSecond
  }

  mutating func take(at now: Double) {
    tokens = max(0, tokens(at: now) - 1)
    updatedAt = now
  }
}

/// The answers of one source of a trace. An answer contains nothing that happens later in the
/// trace.
struct TraceAnswers {
  private let source: TraceSource
  private var seenCount = 0

  init(_ source: TraceSource) { self.source = source }

  /// Returns the answer at a time. `now` must increase with each call.
  mutating func answer(at now: Double) -> AdaptiveObservation {
    if let outage = source.outage(at: now) {
      return .failed(retryAfter: outage.retryAfter)
    }
    var count = seenCount
    while count < source.published.count, source.published[count] <= now { count += 1 }
    defer { seenCount = count }
    guard source.datesItems else {
      let last = source.datesChanges && count > 0 ? source.published[count - 1] : nil
      return .changed(count > seenCount, modifiedAt: last)
    }
    let shown = max(0, count - source.window)..<count
    let new = max(seenCount, shown.lowerBound)..<count
    return .items(ItemsSeen(newTimes: Array(source.published[new]), shownCount: shown.count))
  }
}
