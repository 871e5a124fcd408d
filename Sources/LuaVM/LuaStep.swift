/// How a step of a run ended. What it says is in `LuaRun.output`, in FetchModel's encoding.
package enum LuaStep: Equatable, Sendable {
  /// Output: the value that the main chunk returned.
  case finished
  /// Output: a list `[name, argument...]`; `LuaRun.resume` answers it.
  case request
  /// The slice is used up: `LuaRun.proceed` when others had their turn.
  case preempted
  /// Output: a table `{message, file?, line?, code?, traceback}`.
  case failed
  /// Ended by a limit or by `LuaRun.kill`. Output: a table `{file?, line?, traceback}` that says
  /// where the run was, or nothing.
  case killed(LuaDeath)
}

/// Why a run ended against its will.
package enum LuaDeath: Equatable, Sendable {
  case cpu
  case memory
  /// `LuaRun.kill` with the reason given there; 0 when a step was asked for that the run did not
  /// wait for.
  case cancelled(reason: Int32)
}
