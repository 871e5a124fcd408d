import CHost
import Glibc

/// Wakes a thread that waits in poll(2). Several calls of `ring` before the thread wakes count as
/// one.
package final class WakeSignal: Sendable {
  /// The descriptor to poll. The descriptor is readable from a call of `ring` until a call of
  /// `clear`.
  package let descriptor: Int32

  /// Creates the signal; nil if the system has no more descriptors.
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
