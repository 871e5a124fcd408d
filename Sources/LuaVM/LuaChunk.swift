internal import CLua

/// Lua code from source text, never from bytecode, so that the VM can trust what it runs.
///
/// All runs that use a chunk share it.
// SAFETY: several threads may use the code (CLua.h), and nothing else is unsafe.
package final class LuaChunk: @unchecked Sendable {
  package let name: String
  private let code: OpaquePointer

  private init(_ name: String, _ code: OpaquePointer) {
    self.name = name
    self.code = code
  }

  deinit { lua_code_free(code) }

  /// Returns the chunk in C's form, which is valid as long as this object exists.
  func entry(trusted: Bool) -> lua_chunk { lua_chunk(code: code, trusted: trusted) }

  /// Compiles source text of at most 1 MiB. `name` is the file name in messages, as in
  /// `name:line:`. The name should be unique among the chunks of a run.
  package static func compile(
    name: String, source: some Collection<UInt8>
  ) throws(LuaCompileError) -> LuaChunk {
    var code: OpaquePointer?
    var failure = lua_buffer()
    defer { lua_buffer_free(&failure) }
    let step = Array(source).withUnsafeBytes { source in
      LuaRun.withBytes(source) { lua_code_compile(name, $0, $1, &code, &failure) }
    }
    guard step == LUA_STEP_FINISHED, let code else {
      let bytes = UnsafeRawBufferPointer(start: failure.bytes, count: failure.count)
      throw LuaCompileError(failure: Array(bytes))
    }
    return LuaChunk(name, code)
  }

  /// Returns trusted code that the first run that needs it compiles, or nil if there is no memory.
  ///
  /// The source must be correct. Messages about it have no line numbers and no names of local
  /// variables.
  package static func deferred(name: String, source: String) -> LuaChunk? {
    let code = Array(source.utf8).withUnsafeBytes { source in
      LuaRun.withBytes(source) { lua_code_defer(name, $0, $1) }
    }
    return code.map { LuaChunk(name, $0) }
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
