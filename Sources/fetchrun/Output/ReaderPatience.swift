import FetchHost
import Glibc
import Synchronization

/// How long a command waits for the readers of its streams: for ever, and after a signal no longer
/// than a second for each that reads nothing.
final class ReaderPatience: Sendable {
  private struct State {
    /// Nil: the program handles no signals, and a write waits in the kernel.
    var wake: WakeSignal?
    var isEnding = false
    /// Descriptors whose readers have read nothing for too long.
    var stuck: Set<Int32> = []
  }

  private let state = Mutex(State())

  private static let endingMilliseconds: Int32 = 1000
  /// A pipe that is ready takes that much at once (pipe(7)): a write of more may wait in the kernel,
  /// where no signal ends it.
  private static let pipeBytesMax = 4096

  /// Where the system has no descriptor left for it, writes cannot be interrupted.
  func prepare() { state.withLock { $0.wake = $0.wake ?? WakeSignal() } }

  func end() {
    state.withLock { state in
      state.isEnding = true
      state.wake?.ring()
    }
  }

  /// How many of the bytes can be written now, when the reader was waited for; nil where it is not
  /// waited for any longer.
  func room(_ descriptor: Int32, for count: Int) -> Int? {
    guard state.withLock({ $0.wake != nil }) else { return count }
    return awaitRoom(descriptor) ? min(count, Self.pipeBytesMax) : nil
  }

  /// Waits until the descriptor takes something, or fails; whether it does.
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
