/// Whether runs of one plugin may interleave in one worker process.
package enum Isolation: String, Sendable, CaseIterable {
  /// Runs of the same plugin (same file, same content) share a worker, each with its own Lua state.
  case shared
  /// Every run has a process of its own.
  case run
}
