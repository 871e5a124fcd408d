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
