import FetchModel
import FetchSchedule

/// A record of what sources published, when they failed, and when people read. A simulation
/// processes the trace step by step.
package struct Trace: Equatable, Sendable {
  /// The duration of the trace in seconds. The time 0 is a Monday at 00:00.
  package var duration: Double
  package var requestsPerHour: Double
  /// The number of requests that a full token bucket allows.
  package var burst: Double
  /// The minimum time in seconds between two requests to one host.
  package var hostGap: Double
  package var sources: [TraceSource]
  /// The reads of people, sorted by time.
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
  /// Whether the items of the source have dates. If not, the source shows only that it has changed.
  package var datesItems: Bool
  /// Whether the source gives the time of its last change. This applies only to a source without
  /// dated items.
  package var datesChanges: Bool
  /// The maximum number of items that the source shows at once.
  package var window: Int
  package var timeToLive: Double?
  /// The times of the publications before and during the trace, in seconds and in order.
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

/// A person's read of all sources in a group.
package struct TraceRead: Equatable, Sendable {
  package var time: Double
  package var group: String

  package init(time: Double, group: String) { (self.time, self.group) = (time, group) }
}
