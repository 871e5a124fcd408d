/// The result of a step of a run. `LuaRun.output` returns the step's output, as an encoded value.
package enum LuaStep: Equatable, Sendable {
  /// The run has finished. The output is the value that the main chunk returned.
  case finished
  /// The run calls the host and waits for `LuaRun.resume`. The output is a list `[name,
  /// argument...]`.
  case request
  /// The slice is used up. Call `LuaRun.proceed` after the other runs have had a slice.
  case preempted
  /// The run has failed. The output is a table `{message, file?, line?, code?, traceback}`.
  case failed
  /// A limit, `LuaRun.kill` or the handler `LuaEnvironment.Notify` ended the run. The output is
  /// either empty, or a table `{file?, line?, traceback}` with the line at which the run was ended.
  case killed(LuaDeath)
}

/// The reason for a run's forced end.
package enum LuaDeath: Equatable, Sendable {
  case cpu
  case memory
  /// `LuaRun.kill` or the handler `LuaEnvironment.Notify` ended the run with this reason. The
  /// reason is 0 if the caller requested a step for which the run did not wait.
  case cancelled(reason: Int32)
}
