/// The load of this machine (proc_loadavg(5)).
package enum SystemLoad {
  package static let path = "/proc/loadavg"

  /// Returns the load average of the last minute; nil if the load cannot be read.
  package static func lastMinute(path: String = path) -> Double? {
    SmallFile.line(path)?.split(separator: " ").first.flatMap { Double($0) }
      .flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }
}
