import FetchValues

/// The resources that one run used.
package struct RunUsage: Equatable, Sendable {
  /// The CPU time used by the plugin's code and by the library functions that the code called.
  package var cpu: Duration = .zero
  package var memoryPeakBytes = 0
  package var hostCallCount = 0
  /// The number of times that the worker process executed a part of the run.
  package var sliceCount = 0

  package init() {}

  /// Returns a copy in which the CPU time is at most `counted`, which the host measured, and the
  /// memory is at most the run's limit. Negative values of these and of `sliceCount` become zero.
  package func held(cpu counted: Duration, by limits: RunLimits) -> RunUsage {
    var usage = self
    usage.cpu = max(.zero, min(cpu, counted))
    usage.memoryPeakBytes = max(0, min(memoryPeakBytes, limits.memoryBytes))
    usage.sliceCount = max(0, min(sliceCount, Int(Int32.max)))
    return usage
  }
}
