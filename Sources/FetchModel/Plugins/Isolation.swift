/// The rule for whether runs of one plugin may share a worker process.
package enum Isolation: String, Sendable, CaseIterable {
  /// Runs of the same plugin (same file and content) share a worker, each with its own Lua state.
  case shared
  /// Every run has its own worker process.
  case run
}
