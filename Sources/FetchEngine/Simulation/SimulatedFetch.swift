package import FetchSchedule

/// One request of a simulation.
package struct SimulatedFetch: Equatable, Sendable {
  /// The time of the request, in seconds from the trace's start.
  package var time: Double
  /// The index of the source in the trace's list of sources.
  package var source: Int
  /// The reason why the request was due; nil for a first request and with fixed intervals.
  package var reason: AdaptiveReason?
}
