import CHost
import Glibc

/// A wait until one of a few descriptors is ready. It uses poll(2), because poll(2) is in Swift's
/// Glibc and costs no more than epoll for a few dozen workers.
struct Poller {
  struct Event {
    let id: UInt64
    let isReadable: Bool
    let isWritable: Bool
  }

  private var watched: [pollfd] = []
  private var ids: [UInt64] = []

  mutating func add(_ descriptor: Int32, id: UInt64) {
    watched.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    ids.append(id)
  }

  mutating func setWritable(id: UInt64, _ isAwaited: Bool) {
    guard let index = ids.firstIndex(of: id) else { return }
    watched[index].events = Int16(isAwaited ? POLLIN | POLLOUT : POLLIN)
  }

  mutating func remove(id: UInt64) {
    guard let index = ids.firstIndex(of: id) else { return }
    watched.swapAt(index, watched.count - 1)
    ids.swapAt(index, ids.count - 1)
    watched.removeLast()
    ids.removeLast()
  }

  mutating func wait(milliseconds: Int32) -> [Event] {
    let count = poll(&watched, nfds_t(watched.count), milliseconds)
    guard count > 0 else { return [] }
    var events: [Event] = []
    for (index, entry) in watched.enumerated() where entry.revents != 0 {
      let seen = Int32(entry.revents)
      events.append(
        Event(
          id: ids[index], isReadable: seen & (POLLIN | POLLHUP | POLLERR) != 0,
          isWritable: seen & POLLOUT != 0))
    }
    return events
  }
}

/// A clock that counts nanoseconds (CLOCK_MONOTONIC). It neither jumps nor includes the machine's
/// sleep.
package enum Monotonic {
  package static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

extension Duration {
  /// The duration in nanoseconds. It is never negative, and small enough to be added to a time of
  /// `Monotonic`.
  package var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(min(seconds, 1 << 32)) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
  }
}
