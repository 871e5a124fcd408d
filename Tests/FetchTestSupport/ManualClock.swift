import Synchronization

/// A clock that moves only when a test moves it. Sleepers wake in the order of their deadlines.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package var offset: Duration
    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: Sleeper] = [:]
    var nextID = 0
    /// The callers that wait until a task sleeps.
    var watchers: [Int: CheckedContinuation<Void, Never>] = [:]

    mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
      defer { watchers = [:] }
      return Array(watchers.values)
    }
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .zero }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isDue, watchers) = state.withLock {
          state -> (Bool, [CheckedContinuation<Void, Never>]) in
          if deadline <= state.now || Task.isCancelled { return (true, []) }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return (false, state.takeWatchers())
        }
        if isDue { continuation.resume() }
        for watcher in watchers { watcher.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
    }
  }

  /// Returns when a task sleeps, or when the caller is cancelled. A test calls this function before
  /// it moves the clock, because a task that sleeps later would miss the time that has passed.
  package func waitForSleeper() async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if !state.sleepers.isEmpty || Task.isCancelled { return true }
          state.watchers[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.watchers.removeValue(forKey: id) }?.resume()
    }
  }

  /// The error that no task sleeps until the expected time or an earlier time.
  package struct Overslept: Error, CustomStringConvertible {
    package var offset: Duration
    package var sleepers: [Duration]
    package var description: String {
      "no task sleeps until \(offset) or earlier; the deadlines are \(sleepers): wait for each "
        + "sleeper of this clock before moving it, because a task that sleeps later sleeps too long"
    }
  }

  /// The real time within which a task must begin to sleep.
  private static let patience: Duration = .seconds(30)

  /// Waits until a task sleeps whose deadline is at most `offset` after the clock's start, and
  /// returns the first deadline.
  ///
  /// - Throws: `Overslept` if no task sleeps in this way within half a minute, or
  ///   `CancellationError`. Therefore a test whose task never sleeps fails instead of waiting
  ///   forever.
  package func waitForSleeper(notAfter offset: Duration) async throws -> Duration {
    let end = ContinuousClock.now + Self.patience
    while true {
      let sleepers = state.withLock { $0.sleepers.values.map(\.deadline.offset).sorted() }
      if let first = sleepers.first, first <= offset { return first }
      try Task.checkCancellation()
      if .now > end { throw Overslept(offset: offset, sleepers: sleepers) }
      await Task.yield()
    }
  }

  /// The first deadline, counted from the clock's start. The value is nil while no task sleeps.
  package var firstSleeper: Duration? {
    state.withLock { $0.sleepers.values.map(\.deadline.offset).min() }
  }

  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves time to the first deadline. Does nothing while no task sleeps.
  package func advanceToSleeper() {
    let rest = state.withLock { state in
      state.sleepers.values.map(\.deadline.offset).min().map { $0 - state.now.offset }
    }
    if let rest { advance(by: rest) }
  }

  /// Moves time and wakes all due sleepers.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let due = state.sleepers.filter { $0.value.deadline <= now }
      for id in due.keys { state.sleepers.removeValue(forKey: id) }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
