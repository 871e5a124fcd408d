package import FetchValues

/// The plan for a simulation of a config.
package struct SimulationPlan: Equatable, Sendable {
  package var time: Range<Timestamp>
  package var failures: [SimulatedFailure] = []
  /// The period without a network; nil if there is none.
  package var offline: SimulatedStretch?

  package init(from start: Timestamp, days: Int) {
    time = start..<start + .seconds(86_400 * Int64(days))
  }
}
