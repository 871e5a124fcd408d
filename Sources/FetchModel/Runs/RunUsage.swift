/// What one run used of its limits.
package struct RunUsage: Equatable, Sendable {
  /// CPU time of the plugin's code and of the library functions it called.
  package var cpu: Duration = .zero
  package var memoryPeakBytes = 0
  package var hostCallCount = 0
  /// How often the run was put on the worker's processor.
  package var sliceCount = 0

  package init() {}
}
