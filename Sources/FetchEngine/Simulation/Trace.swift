import FetchModel
import FetchSchedule

/// A record of what sources published, what failed and when a reader looked. A simulation reveals
/// it step by step.
package struct Trace: Equatable, Sendable {
  /// The duration in seconds; times begin at 0, a Monday 00:00.
  package var duration: Double
  package var requestsPerHour: Double
  /// The number of requests in a full bucket.
  package var burst: Double
  /// The seconds between two requests to one host.
  package var hostGap: Double
  package var sources: [TraceSource]
  /// The reads, sorted by time.
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
  /// Whether it shows dated items; otherwise only that it changed.
  package var datesItems: Bool
  /// Whether a source that shows only that it changed gives the time of its last change.
  package var datesChanges: Bool
  /// The number of items that it shows.
  package var window: Int
  package var timeToLive: Double?
  /// The publications before the trace's start and in it, sorted.
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
  /// The hints that it gives.
  var hints: SourceHints {
    var hints = SourceHints()
    hints.feed.ttl = timeToLive.map { .milliseconds(Int64(min(max($0, 0), 1e12) * 1000)) }
    return hints
  }

  /// Returns the outage during a fetch at that time.
  func outage(at time: Double) -> Outage? {
    outages.first { $0.from <= time && time < $0.to }
  }
}

/// A reader's look at all sources of a group.
package struct TraceRead: Equatable, Sendable {
  package var time: Double
  package var group: String

  package init(time: Double, group: String) { (self.time, self.group) = (time, group) }
}
