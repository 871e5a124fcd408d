import FetchValues

/// The usage of one run, compared with its limits.
package struct RunUsage: Equatable, Sendable {
  /// CPU time of the plugin's code and of the library functions it called.
  package var cpu: Duration = .zero
  package var memoryPeakBytes = 0
  package var hostCallCount = 0
  /// The number of times the run got the worker's processor.
  package var sliceCount = 0

  package init() {}

  /// Returns the usage limited to possible values: CPU time up to the time counted from outside,
  /// and memory up to the run's limit.
  package func held(cpu counted: Duration, by limits: RunLimits) -> RunUsage {
    var usage = self
    usage.cpu = max(.zero, min(cpu, counted))
    usage.memoryPeakBytes = max(0, min(memoryPeakBytes, limits.memoryBytes))
    usage.sliceCount = max(0, min(sliceCount, Int(Int32.max)))
    return usage
  }
}
