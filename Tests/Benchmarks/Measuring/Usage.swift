import Foundation

/// The resources of a finished child and all the children it waited for.
struct Usage {
  var cpuSeconds = 0.0
  var wallSeconds = 0.0
  /// The peak of the largest process.
  var peakBytes = 0
  /// The sum of all its processes at one instant, shared pages counted in each; 0 without sampling.
  var peakSumBytes = 0
  /// The peak of the largest of its own children, by samples; 0 without sampling.
  var peakChildBytes = 0
  /// The part of `cpuSeconds` that its own children used, if it was sampled.
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
