import Glibc

/// What the kernel says of a process, for telling a stopped worker from one that computes.
enum ProcessProbe {
  /// CPU time in nanoseconds; nil when it is gone.
  static func cpu(_ process: pid_t) -> UInt64? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return nil
    }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Stopped by a signal or a tracer, or dead: it will not go on by itself.
  static func isHalted(_ process: pid_t) -> Bool {
    let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return true }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = read(file, &text, text.count)
    // `pid (name) S ...`: the name may have anything in it but ends at the last parenthesis.
    guard count > 0, let end = text[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count
    else { return true }
    return "TtZX".utf8.contains(text[end + 2])
  }
}
