import CHost
import Glibc
import Synchronization

/// The time of `ContinuousClock`, with sleeps that need no Dispatch: see `HostExecutor`.
package struct HostClock: Clock {
  package init() {}

  package var now: ContinuousClock.Instant { .now }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until the deadline; the time in which the machine sleeps counts. Throws
  /// `CancellationError` as soon as the task is cancelled.
  package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    guard let timers = HostTimers.shared else {
      // The system had no descriptor left for the timers.
      return try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
    try await timers.sleep(for: now.duration(to: deadline))
  }
}

/// All sleeps of a process on one timer. Its thread wakes only when the first of them ends.
final class HostTimers: Sendable {
  /// The descriptor; nil if the system had none left.
  static let shared = HostTimers()

  private let timer: Int32
  private let sleepers = Mutex(Sleepers())

  private init?() {
    timer = timer_descriptor()
    guard timer >= 0 else { return nil }
    DedicatedThread.start("timers") { [self] in
      while true { wakeAfterTimer() }
    }
  }

  /// Sleeps; throws `CancellationError` as soon as the task is cancelled.
  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    let deadline = timer_now() + duration.nanoseconds
    let number = sleepers.withLock { $0.takeNumber() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait(until: deadline, number, $0) }
    } onCancel: {
      cancel(number)
    }
    sleepers.withLock { $0.giveBack(number) }
    try Task.checkCancellation()
  }

  private func wait(until deadline: UInt64, _ number: Int32, _ sleeper: Sleepers.Sleeper) {
    let isCancelled = sleepers.withLock { sleepers in
      // A cancellation before this found no sleeper to wake.
      if Task.isCancelled { return true }
      let first = sleepers.first
      sleepers.add(sleeper, number, until: deadline)
      if sleepers.first != first { setTimer(sleepers) }
      return false
    }
    if isCancelled { sleeper.resume() }
  }

  private func cancel(_ number: Int32) {
    let sleeper = sleepers.withLock { sleepers in
      let first = sleepers.first
      let sleeper = sleepers.remove(number)
      if sleepers.first != first { setTimer(sleepers) }
      return sleeper
    }
    sleeper?.resume()
  }

  private func wakeAfterTimer() {
    var count: UInt64 = 0
    _ = read(timer, &count, MemoryLayout<UInt64>.size)
    let due = sleepers.withLock { sleepers in
      let due = sleepers.removeDue(timer_now())
      setTimer(sleepers)
      return due
    }
    for sleeper in due { sleeper.resume() }
  }

  /// Sets the timer to the first sleep; 0 stops it when there is none.
  private func setTimer(_ sleepers: borrowing Sleepers) { timer_set(timer, sleepers.first ?? 0) }
}
