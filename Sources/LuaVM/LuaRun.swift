internal import CLua

/// One Lua state with its limits, for one run of a plugin.
///
/// Only one thread may use the run at a time. The owner starts the run once. The owner answers each
/// `.request` with `resume` and each `.preempted` with `proceed`, until a step is `.finished`,
/// `.failed` or `.killed`. Lua code runs only inside a step, and never when the run is freed.
///
/// Lua code has three ways out: a `.request`, and the two handlers of `LuaEnvironment` for library
/// functions and messages. Lua code has no files, network, processes or wall clock. Its CPU time
/// and memory are limited; either limit ends the run as `.killed`. No step throws: after an error
/// of the Lua code, the step is `.failed`.
package final class LuaRun {
  private var run: OpaquePointer?
  private let chunks: LuaChunks

  /// The object outside Lua to which the run belongs, and which library functions use.
  package let context: AnyObject?

  /// Creates a run with the given chunks. Returns nil if there is no memory for the run.
  ///
  /// `seed` is the seed of `math.random`. If `LuaEnvironment.isComplete` is true, `seed` is also
  /// the seed of the hash on which the order of string keys in `pairs` depends.
  package init?(
    limits: LuaRunLimits, chunks: LuaChunks, seed: UInt64, context: AnyObject? = nil
  ) {
    guard let entries = chunks.entries.baseAddress else { return nil }
    self.chunks = chunks
    self.context = context
    var raw = lua_run_limits(
      cpu_nanoseconds_max: limits.cpuNanosecondsMax,
      slice_nanoseconds_max: limits.sliceNanosecondsMax,
      memory_bytes_max: max(0, limits.memoryBytesMax),
      message_bytes_max: max(0, limits.messageBytesMax),
      nesting_max: UInt32(clamping: limits.nestingMax))
    run = lua_run_open(
      &raw, entries, chunks.entries.count, Unmanaged.passUnretained(self).toOpaque(), seed)
    if run == nil { return nil }
  }

  deinit {
    if let run { lua_run_close(run) }
  }

  /// Starts the trusted chunk with the given name. `arguments` is an encoded list, which must be
  /// valid during the call.
  package func start(main name: String, arguments: UnsafeRawBufferPointer) -> LuaStep {
    step { run in Self.withBytes(arguments) { lua_run_start(run, name, $0, $1) } }
  }

  /// Answers a request with an encoded list of return values, which must be valid during the call.
  package func resume(returning values: UnsafeRawBufferPointer) -> LuaStep {
    step { run in Self.withBytes(values) { lua_run_resume(run, $0, $1, false) } }
  }

  /// Answers a request with an error, which is raised at the plugin's line.
  package func resume(raising message: String) -> LuaStep {
    var message = message
    return message.withUTF8 { message in
      step { run in
        Self.withBytes(UnsafeRawBufferPointer(message)) { lua_run_resume(run, $0, $1, true) }
      }
    }
  }

  /// Continues a preempted run.
  package func proceed() -> LuaStep { step { lua_run_continue($0) } }

  /// The output of the last step or of `describe`, valid until the next call on this run.
  package var output: UnsafeRawBufferPointer {
    guard let run else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    var count = 0
    let bytes = lua_run_output(run, &count)
    return UnsafeRawBufferPointer(start: bytes, count: count)
  }

  /// Ends the run, unless it has already ended. The next step, or the current step at its next
  /// check of the limits, ends as `.killed(.cancelled(reason))`.
  package func kill(reason: Int32) {
    if let run { lua_run_kill(run, reason) }
  }

  /// Returns a description of a value at the place where the run failed. `path` has the names that
  /// lead to the value, in the form that `lua_run_describe` defines. The result is empty if nothing
  /// is known about the value, or if the run has not ended or was killed.
  package func describe(_ path: [UInt8]) -> UnsafeRawBufferPointer {
    guard let run else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    path.withUnsafeBytes { bytes in
      _ = Self.withBytes(bytes) {
        lua_run_describe(run, $0, $1)
        return LUA_STEP_FAILED
      }
    }
    return output
  }

  package var usage: LuaUsage {
    guard let run else {
      return LuaUsage(cpuNanoseconds: 0, memoryBytes: 0, memoryBytesPeak: 0, slices: 0)
    }
    let usage = lua_run_usage_now(run)
    return LuaUsage(
      cpuNanoseconds: usage.cpu_nanoseconds, memoryBytes: usage.memory_bytes,
      memoryBytesPeak: usage.memory_bytes_peak, slices: Int(usage.slices))
  }

  /// Preempts the run after every `instructions` instructions, from the next step on. Only tests
  /// call this function.
  package func preempt(every instructions: Int32) {
    if let run { lua_run_preempt_every(run, instructions) }
  }

  private func step(_ body: (OpaquePointer) -> lua_step) -> LuaStep {
    guard let run else { return .killed(.cancelled(reason: 0)) }
    return switch body(run) {
    case LUA_STEP_FINISHED: .finished
    case LUA_STEP_REQUEST: .request
    case LUA_STEP_PREEMPTED: .preempted
    case LUA_STEP_FAILED: .failed
    default: .killed(Self.death(of: run))
    }
  }

  private static func death(of run: OpaquePointer) -> LuaDeath {
    switch lua_run_death(run) {
    case LUA_DEATH_CPU: .cpu
    case LUA_DEATH_MEMORY: .memory
    default: .cancelled(reason: lua_run_kill_reason(run))
    }
  }

  /// Calls `body` with the bytes in C's form. Empty bytes may have no address, which C does not
  /// accept.
  static func withBytes<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafePointer<UInt8>, Int) -> Result
  ) -> Result {
    if let start = bytes.baseAddress {
      return body(start.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
    var nothing: UInt8 = 0
    return withUnsafePointer(to: &nothing) { body($0, 0) }
  }
}

/// The result of a step of a run. `LuaRun.output` returns the step's output.
package enum LuaStep: Equatable, Sendable {
  /// The run has finished. The output is the value that the started chunk returned.
  case finished
  /// The run calls the host and waits for `LuaRun.resume`. The output is a list `[name,
  /// argument...]`.
  case request
  /// The run has used up its slice. `LuaRun.proceed` continues the run.
  case preempted
  /// The run has failed. The output is a table `{message, file?, line?, code?, traceback}`.
  case failed
  /// The run was ended by force: see `LuaDeath`. The output is either empty, or a table `{file?,
  /// line?, traceback}` with the line at which the run was ended.
  case killed(LuaDeath)
}

/// The reason for a run's forced end.
package enum LuaDeath: Equatable, Sendable {
  case cpu
  case memory
  /// `LuaRun.kill` or the handler `LuaEnvironment.Notify` ended the run with this reason. The
  /// reason is 0 if a step could not begin: the run did not wait for it, or the thread has no CPU
  /// timer.
  case cancelled(reason: Int32)
}

/// The limits of one run inside Lua. Lua code cannot evade them.
package struct LuaRunLimits: Equatable, Sendable {
  /// The maximum CPU time of the run, as the sum of all its slices. The time is checked every 10 ms
  /// of CPU time.
  package var cpuNanosecondsMax: UInt64
  /// The CPU time after which a slice ends with `.preempted`, at the next tick of 10 ms.
  package var sliceNanosecondsMax: UInt64 = 10_000_000
  /// The maximum memory of the Lua state.
  package var memoryBytesMax: Int
  /// The maximum size of one encoded value that is passed out of Lua.
  package var messageBytesMax: Int
  /// The maximum nesting of tables in a value that is passed out of Lua, at most 128.
  package var nestingMax: Int

  package init(
    cpuNanosecondsMax: UInt64, memoryBytesMax: Int, messageBytesMax: Int, nestingMax: Int
  ) {
    self.cpuNanosecondsMax = cpuNanosecondsMax
    self.memoryBytesMax = memoryBytesMax
    self.messageBytesMax = messageBytesMax
    self.nestingMax = nestingMax
  }
}

/// The resources that a run has used so far.
package struct LuaUsage: Equatable, Sendable {
  package var cpuNanoseconds: UInt64
  package var memoryBytes: Int
  package var memoryBytesPeak: Int
  package var slices: Int
}
