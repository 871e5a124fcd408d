import CHost
import FetchValues
import Glibc
import Synchronization

/// A clock that shows the same time as `ContinuousClock`. Its sleeps do not use Dispatch (see
/// `HostExecutor`), unless the system had no descriptor or thread left.
package struct HostClock: Clock {
  package init() {}

  package var now: ContinuousClock.Instant { .now }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until the deadline. The time while the machine is suspended counts, too. Throws
  /// `CancellationError` as soon as the task is cancelled.
  package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    guard let timers = HostTimers.shared else {
      return try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
    try await timers.sleep(for: now.duration(to: deadline))
  }
}

/// The timer for all sleeps of `HostClock` in this process. Its thread wakes only when the earliest
/// sleep ends.
final class HostTimers: Sendable {
  /// The shared timer; nil if the system had no descriptor or thread for it.
  static let shared = HostTimers()

  private let timer: Int32
  private let sleepers = Mutex(Sleepers())

  private init?() {
    timer = timer_descriptor()
    guard timer >= 0 else { return nil }
    let isStarted = DedicatedThread.startIfPossible("timers") { [self] in
      while true { wakeAfterTimer() }
    }
    guard isStarted else {
      close(timer)
      return nil
    }
  }

  /// Sleeps for the duration; throws `CancellationError` as soon as the task is cancelled.
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
      // If the task was cancelled before this line, `cancel` found no sleeper to wake.
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

  /// Sets the timer to the end of the earliest sleep, or stops the timer (0) if no task sleeps.
  private func setTimer(_ sleepers: borrowing Sleepers) { timer_set(timer, sleepers.first ?? 0) }
}

/// The sleeping tasks and the times when their sleeps end, in nanoseconds of the clock that
/// `timer_now` reads.
struct Sleepers {
  typealias Sleeper = CheckedContinuation<Void, Never>

  private var deadlines = IndexedHeap<UInt64>()
  private var positions: [Int32] = []
  private var sleepers: [Sleeper?] = []
  private var free: [Int32] = []

  /// The end of the earliest sleep; nil if no task sleeps.
  var first: UInt64? { deadlines.first?.key }

  /// Returns a number for a new sleep. No other sleep receives this number until it is passed to
  /// `giveBack`.
  mutating func takeNumber() -> Int32 {
    if let number = free.popLast() { return number }
    sleepers.append(nil)
    positions.append(IndexedHeap<UInt64>.nowhere)
    return Int32(sleepers.count - 1)
  }

  mutating func giveBack(_ number: Int32) { free.append(number) }

  mutating func add(_ sleeper: Sleeper, _ number: Int32, until deadline: UInt64) {
    sleepers[Int(number)] = sleeper
    deadlines.push(number, key: deadline, &positions)
  }

  /// Removes and returns the task with the given number; nil if the task's sleep has not begun or
  /// is over.
  mutating func remove(_ number: Int32) -> Sleeper? {
    guard positions[Int(number)] != IndexedHeap<UInt64>.nowhere else { return nil }
    deadlines.remove(number, &positions)
    return take(number)
  }

  /// Removes and returns the tasks whose sleeps are over, in the order in which the sleeps ended.
  mutating func removeDue(_ now: UInt64) -> [Sleeper] {
    var due: [Sleeper] = []
    while let first = deadlines.first, first.key <= now {
      if let sleeper = remove(first.number) { due.append(sleeper) }
    }
    return due
  }

  private mutating func take(_ number: Int32) -> Sleeper? {
    defer { sleepers[Int(number)] = nil }
    return sleepers[Int(number)]
  }
}
