package import FetchSchedule

/// One request of a simulation.
package struct SimulatedFetch: Equatable, Sendable {
  /// The seconds from the trace's start.
  package var time: Double
  /// The place in the trace's list of sources.
  package var source: Int
  /// The reason why it was due; nil for a first run and at fixed intervals.
  package var reason: AdaptiveReason?
}
