internal import CLua

/// The state that all runs of a process share.
package enum LuaEnvironment {
  /// A handler that executes the library function with the given number. `arguments` is an encoded
  /// list, which is valid during the call. The handler must not call back into the run.
  package typealias Library =
    @Sendable (
      _ run: LuaRun, _ function: UInt32, _ arguments: UnsafeRawBufferPointer, _ output: LuaOutput
    ) -> LuaLibraryAnswer

  /// A handler for messages of trusted Lua code. A message is an encoded list `[name,
  /// argument...]`, which is valid during the call. The handler returns 0 to let the run continue.
  /// Any other value kills the run, with this value as the reason.
  package typealias Notify =
    @Sendable (_ run: LuaRun, _ message: UnsafeRawBufferPointer) -> Int32

  // SAFETY: `prepare` writes both handlers once, before the first run, and they are only read
  // afterwards.
  nonisolated(unsafe) private static var library: Library = { _, _, _, _ in .refused }
  nonisolated(unsafe) private static var notify: Notify = { _, _ in 0 }

  /// Checks the linked Lua, creates the CPU timer of this thread and installs a handler of SIGPROF.
  /// Returns the problem; nil if Lua can be used. Call this function once, before the first run and
  /// before the process restricts itself.
  package static func prepare(library: @escaping Library, notify: @escaping Notify) -> String? {
    self.library = library
    self.notify = notify
    var environment = lua_environment(library: callLibrary, notify: callNotify)
    return lua_environment_prepare(&environment).map { String(cString: $0) }
  }

  /// Whether the linked Lua has the internal layout that CLua supports; false before `prepare`.
  /// With this layout, `__mode` and `__gc` have no effect even if these fields are set after
  /// `setmetatable`. Also, the order of string keys in `pairs` depends on no random value except
  /// the run's seed.
  package static var isComplete: Bool { lua_environment_is_complete() }

  private static func run(_ context: UnsafeMutableRawPointer?) -> LuaRun? {
    context.map { Unmanaged<LuaRun>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let callLibrary: lua_library_function = {
    context, function, bytes, count, output in
    guard let run = run(context) else { return LuaLibraryAnswer.refused.rawValue }
    let arguments = UnsafeRawBufferPointer(start: bytes, count: count)
    return library(run, function, arguments, LuaOutput(buffer: output)).rawValue
  }

  private static let callNotify: lua_notify_function = { context, bytes, count in
    guard let run = run(context) else { return 0 }
    return notify(run, UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

/// The output of a library function, which is valid during the function's call.
package struct LuaOutput {
  let buffer: UnsafeMutablePointer<lua_buffer>

  /// Appends bytes; returns false, with the output unchanged, if there is no memory.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    lua_buffer_append(buffer, bytes.baseAddress, bytes.count)
  }
}

/// The kind of a library function's result.
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
