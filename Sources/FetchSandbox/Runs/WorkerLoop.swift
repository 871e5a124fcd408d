import FetchWire
import Glibc

/// The loop of a locked-down worker. It reads frames, runs slices and writes frames until the host
/// closes the connection. The worker's only thread sleeps in poll(2) when no run can continue.
struct WorkerLoop: ~Copyable {
  private let descriptor: Int32
  private let outbox: Outbox
  private let scheduler: RunScheduler
  private var reader = FrameReader()

  /// The number of pending output bytes above which the output is written before the next frame is
  /// handled.
  private static let earlyFlushBytes = 256 << 10

  init(descriptor: Int32, outbox: Outbox, scheduler: RunScheduler) {
    self.descriptor = descriptor
    self.outbox = outbox
    self.scheduler = scheduler
  }

  /// Serves the host until the connection ends, and returns the reason for the end. `closed` is the
  /// normal reason.
  mutating func serve() -> WireError {
    do throws(WireError) {
      while true { try turn() }
    } catch { return error }
  }

  private mutating func turn() throws(WireError) {
    if try isClear() {
      try takeFrames()
      scheduler.runSlices()
    }
    if try !isClear() {
      _ = wait(for: POLLOUT)
    } else if try flush(), scheduler.hasReadyRuns {
      _ = try reader.fill(from: descriptor)
    } else if wait(for: readiness) & (POLLIN | POLLHUP | POLLERR) != 0 {
      _ = try reader.fill(from: descriptor)
    }
  }

  private var readiness: Int32 { outbox.frames.pendingBytes > 0 ? POLLIN | POLLOUT : POLLIN }

  /// Returns whether the host reads fast enough. If the host does not, no run is executed.
  private func isClear() throws(WireError) -> Bool {
    if outbox.frames.isBacklogged { _ = try flush() }
    return !outbox.frames.isBacklogged
  }

  private func flush() throws(WireError) -> Bool {
    if let error = outbox.error { throw error }
    return try outbox.frames.flush(to: descriptor)
  }

  private mutating func takeFrames() throws(WireError) {
    while try isClear(), let frame = try reader.next() {
      try scheduler.take(try HostMessage.decode(frame), run: frame.run)
      if outbox.frames.pendingBytes > Self.earlyFlushBytes { _ = try flush() }
    }
  }

  private func wait(for events: Int32) -> Int32 {
    var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&watched, 1, -1) > 0 ? Int32(watched.revents) : 0
  }
}
