package import FetchValues

/// Who answers requests: the daemon.
package protocol ControlHandler: Sendable {
  /// Hands each line to `line`, which waits while the asker is slow to read, and returns the end.
  /// The task is cancelled when the asker goes away; lines are then dropped.
  func answer(
    _ request: ControlRequest, line: @escaping @Sendable (Value) async -> Void
  ) async -> ControlEnd
}
