import Glibc

/// Waits in poll(2) for events of one descriptor, until `ThreadStop` requests the end of the
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
      // Stops watching a broken descriptor, which would wake poll(2) without end.
      if seen & (POLLNVAL | POLLHUP) != 0 { watched[0].fd = -1 }
      return true
    }
    return false
  }
}
