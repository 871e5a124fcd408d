internal import CLua

/// The code for all runs of one plugin: the trusted chunks and the plugin's own chunks. This object
/// is created once for all runs, and each run has only a reference to it.
// SAFETY: only the initializer writes to the object.
package final class LuaChunks: @unchecked Sendable {
  /// The chunks that own the memory to which the entries point.
  private let chunks: [LuaChunk]
  /// The entries in C's form, at a constant address because C stores the address.
  let entries: UnsafeBufferPointer<lua_chunk>

  /// - Parameters:
  ///   - trusted: chunks that can access the privileged table `fetchrun` (CLua.h).
  ///   - own: chunks that can access only the plugin's globals.
  package init(trusted: [LuaChunk], own: [LuaChunk]) {
    chunks = trusted + own
    let all = trusted.map { $0.entry(trusted: true) } + own.map { $0.entry(trusted: false) }
    let entries = UnsafeMutableBufferPointer<lua_chunk>.allocate(capacity: all.count)
    _ = entries.initialize(from: all)
    self.entries = UnsafeBufferPointer(entries)
  }

  deinit { entries.deallocate() }
}
