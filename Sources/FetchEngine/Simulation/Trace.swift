import FetchModel
import FetchSchedule

/// What sources published, what failed and when a reader looked: everything that a simulation may
/// reveal, bit by bit.
package struct Trace: Equatable, Sendable {
  /// Seconds; times begin at 0, a Monday 00:00.
  package var duration: Double
  package var requestsPerHour: Double
  /// Requests that the full bucket holds.
  package var burst: Double
  /// Seconds between two requests to one host.
  package var hostGap: Double
  package var sources: [TraceSource]
  /// Sorted by time.
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
  /// Whether it shows dated items; else only that it changed.
  package var datesItems: Bool
  /// Whether one that shows only that it changed says when it did so last.
  package var datesChanges: Bool
  /// How many items it shows.
  package var window: Int
  package var timeToLive: Double?
  /// Publications before the trace's start and in it, sorted.
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
  /// What it says of itself.
  var hints: SourceHints {
    var hints = SourceHints()
    hints.feed.ttl = timeToLive.map { .milliseconds(Int64(min(max($0, 0), 1e12) * 1000)) }
    return hints
  }

  /// The outage that a fetch at that time falls into.
  func outage(at time: Double) -> Outage? {
    outages.first { $0.from <= time && time < $0.to }
  }
}

/// The reader looked at all sources of a group.
package struct TraceRead: Equatable, Sendable {
  package var time: Double
  package var group: String

  package init(time: Double, group: String) { (self.time, self.group) = (time, group) }
}
