/// The time of `ContinuousClock`, with sleeps that need no Dispatch: see `HostExecutor`.
package struct HostClock: Clock {
  package init() {}

  package var now: ContinuousClock.Instant { .now }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Time in which the machine sleeps counts. Throws `CancellationError` at once when the task is
  /// cancelled.
  package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    guard let timers = HostTimers.shared else {
      // There was no descriptor left for them.
      return try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
    try await timers.sleep(for: now.duration(to: deadline))
  }
}
