import FetchValues

/// The resources that one run used.
package struct RunUsage: Equatable, Sendable {
  /// The CPU time used by the plugin's code and by the library functions that the code called.
  package var cpu: Duration = .zero
  package var memoryPeakBytes = 0
  package var hostCallCount = 0
  /// The number of times that the worker process executed a part of the run.
  package var sliceCount = 0

  /// The CPU time that an honest worker may use for a run without reporting it, in addition to a
  /// quarter of the reported time. The worker needs it for the frames, and to free the Lua state.
  private static let unreportedMax: Duration = .milliseconds(250)

  package init() {}

  /// Returns a copy in which the CPU time is at most `counted`, which the host measured, and the
  /// memory is at most the run's limit. Negative values of these and of `sliceCount` become zero.
  ///
  /// - Parameter isAlone: whether `counted` is the CPU time of a process that had no other run. If
  ///   the run reports much less, the report is wrong, and the run used `counted`.
  package func held(
    cpu counted: Duration, by limits: RunLimits, isAlone: Bool = false
  ) -> RunUsage {
    var usage = self
    usage.cpu = max(.zero, min(cpu, counted))
    if isAlone, counted > usage.cpu + usage.cpu / 4 + Self.unreportedMax { usage.cpu = counted }
    usage.memoryPeakBytes = max(0, min(memoryPeakBytes, limits.memoryBytes))
    usage.sliceCount = max(0, min(sliceCount, Int(Int32.max)))
    return usage
  }
}
