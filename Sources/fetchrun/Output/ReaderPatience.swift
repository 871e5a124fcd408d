import FetchHost
import Glibc
import Synchronization

/// The limit on how long a command waits for the readers of its output. Before a signal, there is
/// no limit. After a signal, the command waits at most one second for each reader that reads
/// nothing, if `prepare` found a descriptor.
final class ReaderPatience: Sendable {
  private struct State {
    /// The signal that wakes a waiting write when `end` is called. If this property is nil, a write
    /// may wait in the kernel.
    var wake: WakeSignal?
    var isEnding = false
    /// The descriptors whose readers have read nothing for the maximum time.
    var stuck: Set<Int32> = []
  }

  private let state = Mutex(State())

  private static let endingMilliseconds: Int32 = 1000
  /// The number of bytes that a ready pipe accepts in one write (pipe(7)). A larger write may wait
  /// in the kernel, where no signal ends it.
  private static let pipeBytesMax = 4096

  /// Prepares writes so that a signal can end them. Does nothing if the system has no descriptor
  /// left.
  func prepare() { state.withLock { $0.wake = $0.wake ?? WakeSignal() } }

  func end() {
    state.withLock { state in
      state.isEnding = true
      state.wake?.ring()
    }
  }

  /// Waits for the reader. Returns the number of bytes to write; nil if the maximum wait is over.
  /// Returns `count` without waiting if there is no wake-up signal.
  func room(_ descriptor: Int32, for count: Int) -> Int? {
    guard state.withLock({ $0.wake != nil }) else { return count }
    return awaitRoom(descriptor) ? min(count, Self.pipeBytesMax) : nil
  }

  /// Waits until the descriptor accepts data or fails. Returns false if the maximum wait is over.
  @discardableResult
  func awaitRoom(_ descriptor: Int32) -> Bool {
    while true {
      let (wake, isEnding, isStuck) = state.withLock {
        ($0.wake, $0.isEnding, $0.stuck.contains(descriptor))
      }
      var awaited = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
      if let wake, !isEnding {
        awaited.append(pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0))
      }
      let patience = isEnding ? isStuck ? 0 : Self.endingMilliseconds : -1
      let count = poll(&awaited, nfds_t(awaited.count), patience)
      if awaited[0].revents != 0 { return true }
      if count == 0, isEnding {
        state.withLock { _ = $0.stuck.insert(descriptor) }
        return false
      }
    }
  }
}
