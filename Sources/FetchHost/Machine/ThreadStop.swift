import CHost
import Glibc
import Synchronization

/// A request to end a thread that waits in poll(2). `ask` only makes the request. `stop` also waits
/// for the end of the thread.
///
/// The thread watches `wake`, checks `isAsked` each time it wakes, and calls `finish` last. Before
/// `begin` there is no thread to stop.
package final class ThreadStop: Sendable {
  package let wake: WakeSignal

  private struct State {
    var isRunning = false
    var isAsked = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init(_ wake: WakeSignal) { self.wake = wake }

  package var isAsked: Bool { state.withLock { $0.isAsked } }

  /// Marks the thread as running. Call it before the thread starts.
  package func begin() { state.withLock { $0.isRunning = true } }

  package func finish() {
    let waiters = state.withLock { state in
      state.isRunning = false
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Requests the end of the thread, without waiting for it.
  package func ask() {
    state.withLock { $0.isAsked = true }
    wake.ring()
  }

  package func stop() async {
    ask()
    await withCheckedContinuation { waiter in
      let isOver = state.withLock { state in
        if state.isRunning { state.waiters.append(waiter) }
        return !state.isRunning
      }
      if isOver { waiter.resume() }
    }
  }
}

/// A signal that wakes a thread that waits in poll(2). Several calls of `ring` before a call of
/// `clear` count as one call.
package final class WakeSignal: Sendable {
  /// The descriptor to poll. The descriptor is readable from a call of `ring` until a call of
  /// `clear`.
  package let descriptor: Int32

  /// Creates the signal; nil if the system refuses a descriptor.
  package init?() {
    descriptor = wake_descriptor()
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func ring() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  package func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}

/// A wait in poll(2) for events of one descriptor, until `ThreadStop` requests the end of the
/// thread.
struct EventWait {
  private let stop: ThreadStop
  private var watched: [pollfd]

  init(_ events: Int32, _ stop: ThreadStop) {
    self.stop = stop
    watched = [events, stop.wake.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
  }

  /// Waits for the next event and calls `drain` to read it; returns false if the thread must end.
  mutating func next(_ drain: (Int32) -> Void) -> Bool {
    while !stop.isAsked {
      _ = poll(&watched, nfds_t(watched.count), -1)
      if stop.isAsked { break }
      let seen = Int32(watched[0].revents)
      guard seen != 0 else { continue }
      drain(watched[0].fd)
      // Stops watching a broken descriptor, which would otherwise wake poll(2) again and again.
      if seen & (POLLNVAL | POLLHUP) != 0 { watched[0].fd = -1 }
      return true
    }
    return false
  }
}
