internal import CLua

/// All the code that the runs of one plugin know: our own, trusted, and the plugin's. Made once, so
/// that it costs a run no more than a reference.
// SAFETY: written by its initializer alone.
package final class LuaChunks: @unchecked Sendable {
  /// They own what the entries point to.
  private let chunks: [LuaChunk]
  /// At an address that stays the same, for C keeps it.
  let entries: UnsafeBufferPointer<lua_chunk>

  /// - Parameters:
  ///   - trusted: chunks that see the privileged table `fetchrun` (CLua.h).
  ///   - own: those that see the plugin's globals only.
  package init(trusted: [LuaChunk], own: [LuaChunk]) {
    chunks = trusted + own
    let all = trusted.map { $0.entry(trusted: true) } + own.map { $0.entry(trusted: false) }
    let entries = UnsafeMutableBufferPointer<lua_chunk>.allocate(capacity: all.count)
    _ = entries.initialize(from: all)
    self.entries = UnsafeBufferPointer(entries)
  }

  deinit { entries.deallocate() }
}
