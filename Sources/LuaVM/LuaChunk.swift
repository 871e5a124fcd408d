internal import CLua

/// Compiled Lua code. The code is compiled only from source text, so the VM can trust the bytecode.
///
/// A chunk is immutable and shared by all runs that use it.
// SAFETY: the bytes are written before the chunk is shared, and never again.
package final class LuaChunk: @unchecked Sendable {
  package let name: String
  /// The bytecode. C keeps pointers to the bytecode and to `nameBytes` (the name with a final
  /// zero), so both must stay at the same address.
  private let bytes: UnsafeMutablePointer<UInt8>
  private let count: Int
  private let nameBytes: UnsafeMutablePointer<CChar>

  private init(name: String, bytes: UnsafeRawBufferPointer) {
    self.name = name
    count = bytes.count
    self.bytes = .allocate(capacity: count)
    UnsafeMutableRawBufferPointer(start: self.bytes, count: count).copyMemory(from: bytes)
    let name = name.utf8CString
    nameBytes = .allocate(capacity: name.count)
    nameBytes.initialize(from: Array(name), count: name.count)
  }

  deinit {
    bytes.deallocate()
    nameBytes.deallocate()
  }

  /// Returns the chunk in C's form, which is valid as long as this object exists.
  func entry(trusted: Bool) -> lua_chunk {
    lua_chunk(name: nameBytes, bytecode: bytes, count: count, trusted: trusted)
  }

  /// Compiles source text of at most 1 MiB. `name` is the file name in messages, as in
  /// `name:line:`. The name should be unique among the chunks of a run. If `strip` is true, the
  /// bytecode has no line numbers and no names of local variables. Use `strip` only for trusted
  /// code.
  package static func compile(
    name: String, source: some Collection<UInt8>, strip: Bool = false
  ) throws(LuaCompileError) -> LuaChunk {
    var output = lua_buffer()
    defer { lua_buffer_free(&output) }
    let source = Array(source)
    let step = source.withUnsafeBufferPointer { source in
      // An empty array may have no address.
      var nothing: UInt8 = 0
      return withUnsafePointer(to: &nothing) { nothing in
        lua_compile(name, source.baseAddress ?? nothing, source.count, strip, &output)
      }
    }
    let bytes = UnsafeRawBufferPointer(start: output.bytes, count: output.count)
    guard step == LUA_STEP_FINISHED else { throw LuaCompileError(failure: Array(bytes)) }
    return LuaChunk(name: name, bytes: bytes)
  }
}

/// The failure of compiling source text. `failure` is an encoded table `{message, file?, line?,
/// traceback}`. `failure` has no bytes if compiling exceeded its memory limit.
package struct LuaCompileError: Error {
  package let failure: [UInt8]
}

/// The code that a run uses: the trusted chunks and the plugin's own chunks. The runs of a plugin
/// can share one object.
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
