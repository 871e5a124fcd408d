/// The end of a step of a run. `LuaRun.output` has its output in FetchModel's encoding.
package enum LuaStep: Equatable, Sendable {
  /// Output: the value that the main chunk returned.
  case finished
  /// Output: a list `[name, argument...]`; `LuaRun.resume` answers it.
  case request
  /// The slice is used up: call `LuaRun.proceed` after the other runs had their turn.
  case preempted
  /// Output: a table `{message, file?, line?, code?, traceback}`.
  case failed
  /// A limit or `LuaRun.kill` ended the run. Output: a table `{file?, line?, traceback}` with the
  /// run's place, or nothing.
  case killed(LuaDeath)
}

/// The reason for a run's forced end.
package enum LuaDeath: Equatable, Sendable {
  case cpu
  case memory
  /// `LuaRun.kill` with its reason; 0 after a step that the run did not wait for.
  case cancelled(reason: Int32)
}
