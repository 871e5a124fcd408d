import Foundation

/// The resources that a finished program has used, including all children for which the program
/// waited.
struct Usage {
  var cpuSeconds = 0.0
  var wallSeconds = 0.0
  /// The peak memory in bytes of the largest process.
  var peakBytes = 0
  /// The peak sum of the memory of all processes at one instant, in bytes. Shared pages count for
  /// each process. The value is 0 without sampling.
  var peakSumBytes = 0
  /// The peak memory in bytes of the largest child of the program, by samples; 0 without sampling.
  var peakChildBytes = 0
  /// The part of `cpuSeconds` that children of the program used; 0 without sampling.
  var childrenSeconds = 0.0
  var exitStatus: Int32 = 0

  func check(_ name: String) throws {
    guard exitStatus == 0 else { throw BenchmarkError("\(name) ended with status \(exitStatus)") }
  }

  mutating func add(_ usage: rusage) {
    cpuSeconds += Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    peakBytes = max(peakBytes, usage.ru_maxrss * 1024)
  }

  static func + (left: Usage, right: Usage) -> Usage {
    Usage(
      cpuSeconds: left.cpuSeconds + right.cpuSeconds,
      wallSeconds: left.wallSeconds + right.wallSeconds,
      peakBytes: max(left.peakBytes, right.peakBytes))
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
