internal import CLua

/// Lua code from source text, never from bytecode, so that the VM can trust what it runs.
///
/// All runs that use a chunk share it.
// SAFETY: nothing changes but the code, which several threads may use (CLua.h).
package final class LuaChunk: @unchecked Sendable {
  package let name: String
  private let code: OpaquePointer
  /// The name with a final zero, and the source of a deferred chunk. C keeps pointers to both, so
  /// they must stay at the same address.
  private let nameBytes: UnsafeMutablePointer<CChar>
  private let source: UnsafeMutableBufferPointer<UInt8>

  private init(
    _ name: String, _ code: OpaquePointer, _ nameBytes: UnsafeMutablePointer<CChar>,
    source: UnsafeMutableBufferPointer<UInt8>
  ) {
    self.name = name
    self.code = code
    self.nameBytes = nameBytes
    self.source = source
  }

  deinit {
    lua_code_free(code)
    nameBytes.deallocate()
    source.deallocate()
  }

  /// Returns the chunk in C's form, which is valid as long as this object exists.
  func entry(trusted: Bool) -> lua_chunk {
    lua_chunk(name: nameBytes, code: code, trusted: trusted)
  }

  /// Compiles source text of at most 1 MiB. `name` is the file name in messages, as in
  /// `name:line:`. The name should be unique among the chunks of a run.
  package static func compile(
    name: String, source: some Collection<UInt8>
  ) throws(LuaCompileError) -> LuaChunk {
    var code: OpaquePointer?
    var failure = lua_buffer()
    defer { lua_buffer_free(&failure) }
    let source = Array(source)
    let step = source.withUnsafeBufferPointer { source in
      // An empty array may have no address.
      var nothing: UInt8 = 0
      return withUnsafePointer(to: &nothing) { nothing in
        lua_code_compile(name, source.baseAddress ?? nothing, source.count, &code, &failure)
      }
    }
    guard step == LUA_STEP_FINISHED, let code else {
      let bytes = UnsafeRawBufferPointer(start: failure.bytes, count: failure.count)
      throw LuaCompileError(failure: Array(bytes))
    }
    let nothing = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    return LuaChunk(name, code, copy(name), source: nothing)
  }

  /// Returns trusted code that the first run that needs it compiles, or nil if there is no memory.
  ///
  /// The source must be correct. Messages about it have no line numbers and no names of local
  /// variables.
  package static func deferred(name: String, source: String) -> LuaChunk? {
    let nameBytes = copy(name)
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: source.utf8.count + 1)
    let end = bytes.initialize(fromContentsOf: source.utf8)
    bytes[end] = 0
    guard let start = bytes.baseAddress, let code = lua_code_defer(nameBytes, start, end) else {
      nameBytes.deallocate()
      bytes.deallocate()
      return nil
    }
    return LuaChunk(name, code, nameBytes, source: bytes)
  }

  private static func copy(_ name: String) -> UnsafeMutablePointer<CChar> {
    let bytes = name.utf8CString
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
    _ = copy.initialize(fromContentsOf: bytes)
    return copy.baseAddress.unsafelyUnwrapped
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
