package import FetchValues

/// What is to happen in a simulation of a config.
package struct SimulationPlan: Equatable, Sendable {
  package var time: Range<Timestamp>
  package var failures: [SimulatedFailure] = []
  /// When there is no network.
  package var offline: SimulatedStretch?

  package init(from start: Timestamp, days: Int) {
    time = start..<start + .seconds(86_400 * Int64(days))
  }
}
