import FetchHost
package import FetchValues

/// The clock and the chance of runs, given from outside so that tests can order them.
package struct RunTime: Sendable {
  package var now: @Sendable () -> Timestamp
  package var random: @Sendable () -> UInt64
  /// What a wait before a retry is slept on.
  package var clock: any Clock<Duration> = HostClock()
  /// Whether the plugin's own clock stands still during a run.
  package var isFrozen = false

  package init(
    now: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable () -> UInt64
  ) {
    self.now = now
    self.random = random
  }

  /// The system's.
  package static let system = RunTime(
    now: { SystemClock.now() }, random: { UInt64.random(in: .min ... .max) })
}
