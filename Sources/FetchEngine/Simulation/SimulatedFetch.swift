package import FetchSchedule

/// One request of a simulation.
package struct SimulatedFetch: Equatable, Sendable {
  /// Seconds from the trace's start.
  package var time: Double
  /// Place in the trace's list of sources.
  package var source: Int
  /// Why it was due then; nil for a first run and at fixed intervals.
  package var reason: AdaptiveReason?
}
