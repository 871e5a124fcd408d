import CHost
package import FetchValues
import Glibc

/// The reader of the short files in which the kernel reports facts.
enum SmallFile {
  private static let bytesMax = 4096

  /// Returns the first line, at most `bytesMax` bytes of it; nil if the file cannot be read.
  static func line(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: bytesMax)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self)
  }
}

/// The current boot of the system.
package enum SystemBoot {
  /// The id of this boot, which differs from the id of any other boot; nil if the kernel does not
  /// report an id.
  package static let id: String? = SmallFile.line("/proc/sys/kernel/random/boot_id")
}

/// The machine's wall clock.
package enum SystemClock {
  package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

/// The load of this machine (proc_loadavg(5)).
package enum SystemLoad {
  package static let path = "/proc/loadavg"

  /// Returns the load average of the last minute; nil if the load cannot be read.
  package static func lastMinute(path: String = path) -> Double? {
    SmallFile.line(path)?.split(separator: " ").first.flatMap { Double($0) }
      .flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }
}
