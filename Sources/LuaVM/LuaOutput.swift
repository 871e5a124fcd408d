internal import CLua

/// Where a library function writes to; valid during its call.
package struct LuaOutput {
  let buffer: UnsafeMutablePointer<lua_buffer>

  /// False when there is no memory; the output is unchanged then.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    lua_buffer_append(buffer, bytes.baseAddress, bytes.count)
  }
}

/// How a library function ended.
package enum LuaLibraryAnswer: Int32, Sendable {
  /// The output is an encoded list of return values.
  case values = 0
  /// The output is a message: a Lua error at the plugin's line.
  case misuse = 1
  /// The output is a message: the function returns `nil, message`.
  case refused = 2
  /// The function returns `json.null`, and the output means nothing.
  case null = 3
}
