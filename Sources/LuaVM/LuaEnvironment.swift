internal import CLua

/// The state that all runs of a process share.
package enum LuaEnvironment {
  /// A pure library function by number. `arguments` is an encoded list, valid during the call. The
  /// function must not call back into the run.
  package typealias Library =
    @Sendable (
      _ run: LuaRun, _ function: UInt32, _ arguments: UnsafeRawBufferPointer, _ output: LuaOutput
    ) -> LuaLibraryAnswer

  /// A handler for messages of trusted Lua code: an encoded list `[name, argument...]`, valid
  /// during the call. Zero lets the run continue; any other value is the reason for its kill.
  package typealias Notify =
    @Sendable (_ run: LuaRun, _ message: UnsafeRawBufferPointer) -> Int32

  // SAFETY: written once by `prepare`, before the first run, and only read afterwards.
  nonisolated(unsafe) private static var library: Library = { _, _, _, _ in .refused }
  nonisolated(unsafe) private static var notify: Notify = { _, _ in 0 }

  /// Creates a timer and handles SIGPROF. Call it once, before the first run and before the process
  /// is locked down. Returns the problem, or nil.
  package static func prepare(library: @escaping Library, notify: @escaping Notify) -> String? {
    self.library = library
    self.notify = notify
    var environment = lua_environment(library: callLibrary, notify: callNotify)
    return lua_environment_prepare(&environment).map { String(cString: $0) }
  }

  /// Whether the linked Lua has the internal layout that CLua knows, after `prepare`. Then `__mode`
  /// and `__gc` have no effect even when a metatable gets them late. `pairs` then orders string
  /// keys by the run's seed alone.
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
