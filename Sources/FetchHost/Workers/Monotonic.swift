import Glibc

/// The clock of windows and timeouts: nanoseconds that neither jump nor count sleep.
package enum Monotonic {
  package static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

extension Duration {
  /// The duration in nanoseconds: never negative, and small enough to be added to a time.
  package var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(min(seconds, 1 << 32)) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
  }
}
