internal import CLua

/// The output of a library function, which is valid during the function's call.
package struct LuaOutput {
  let buffer: UnsafeMutablePointer<lua_buffer>

  /// Appends bytes; returns false, with the output unchanged, if there is no memory.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    lua_buffer_append(buffer, bytes.baseAddress, bytes.count)
  }
}

/// The result kind of a library function.
package enum LuaLibraryAnswer: Int32, Sendable {
  /// The output is an encoded list of values, which the function returns.
  case values = 0
  /// The output is the message of a Lua error, which is raised at the plugin's line.
  case misuse = 1
  /// The output is a message; the function returns `nil, message`.
  case refused = 2
  /// The function returns `json.null`; the output is ignored.
  case null = 3
}
