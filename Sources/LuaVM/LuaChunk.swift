internal import CLua

/// Compiled Lua code. Made from text only, so its bytecode can be trusted to the VM.
///
/// Immutable and shared by all runs that use it.
// SAFETY: the bytes are written before anybody else sees the chunk, and never again.
package final class LuaChunk: @unchecked Sendable {
  package let name: String
  /// The bytecode, and the name with a zero behind it, at addresses that stay the same: C keeps them.
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

  /// The chunk as C knows it, as long as this object lives.
  func entry(trusted: Bool) -> lua_chunk {
    lua_chunk(name: nameBytes, bytecode: bytes, count: count, trusted: trusted)
  }

  /// Compiles source text of at most 1 MiB. `name` is the file name shown in messages, as in
  /// `name:line:`; it should be unique among the chunks of a run. With `strip` lines and names are
  /// left out, which is for trusted code.
  package static func compile(
    name: String, source: some Collection<UInt8>, strip: Bool = false
  ) throws(LuaCompileError) -> LuaChunk {
    var output = lua_buffer()
    defer { lua_buffer_free(&output) }
    let source = Array(source)
    let step = source.withUnsafeBufferPointer { source in
      // An empty array has no address.
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

/// Source text that is not Lua. `failure` is an encoded table `{message, file, line, traceback}`,
/// or empty when there was no memory to compile it.
package struct LuaCompileError: Error {
  package let failure: [UInt8]
}
