import Glibc

/// The kernel's facts about a process, which distinguish a stopped worker from one that computes.
enum ProcessProbe {
  /// Returns the CPU time in nanoseconds; nil if the process is gone.
  static func cpu(_ process: pid_t) -> UInt64? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return nil
    }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Whether the process is dead, or stopped by a signal or a tracer: it will not continue by
  /// itself.
  static func isHalted(_ process: pid_t) -> Bool {
    let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return true }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = read(file, &text, text.count)
    // `pid (name) S ...`: the name may contain anything, but ends at the last parenthesis.
    guard count > 0, let end = text[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count
    else { return true }
    return "TtZX".utf8.contains(text[end + 2])
  }
}
