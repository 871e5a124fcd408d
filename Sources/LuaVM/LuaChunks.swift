internal import CLua

/// All code of one plugin's runs: trusted chunks and the plugin's own. Made once, so that a run
/// costs no more than a reference.
// SAFETY: only its initializer writes it.
package final class LuaChunks: @unchecked Sendable {
  /// The owners of the memory to which the entries point.
  private let chunks: [LuaChunk]
  /// The entries at a constant address, because C keeps it.
  let entries: UnsafeBufferPointer<lua_chunk>

  /// - Parameters:
  ///   - trusted: chunks that see the privileged table `fetchrun` (CLua.h).
  ///   - own: chunks that see only the plugin's globals.
  package init(trusted: [LuaChunk], own: [LuaChunk]) {
    chunks = trusted + own
    let all = trusted.map { $0.entry(trusted: true) } + own.map { $0.entry(trusted: false) }
    let entries = UnsafeMutableBufferPointer<lua_chunk>.allocate(capacity: all.count)
    _ = entries.initialize(from: all)
    self.entries = UnsafeBufferPointer(entries)
  }

  deinit { entries.deallocate() }
}
