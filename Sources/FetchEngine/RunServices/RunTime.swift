import FetchHost
package import FetchValues

/// The clock and the random source of runs. They are parameters, so that tests can control them.
package struct RunTime: Sendable {
  package var now: @Sendable () -> Timestamp
  package var random: @Sendable () -> UInt64
  /// The clock for the wait before a retry.
  package var clock: any Clock<Duration> = HostClock()
  /// Whether the plugin's own clock is frozen during a run.
  package var isFrozen = false

  package init(
    now: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable () -> UInt64
  ) {
    self.now = now
    self.random = random
  }

  /// The system's clock and random source.
  package static let system = RunTime(
    now: { SystemClock.now() }, random: { UInt64.random(in: .min ... .max) })
}
