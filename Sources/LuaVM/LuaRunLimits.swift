/// The limits of one run inside Lua. Each applies whatever the Lua code does.
package struct LuaRunLimits: Equatable, Sendable {
  /// CPU time of all slices together, checked every 10 ms of CPU time.
  package var cpuNanosecondsMax: UInt64
  /// A slice ends with `.preempted` after this much CPU time, at the next 10 ms tick.
  package var sliceNanosecondsMax: UInt64 = 10_000_000
  /// The memory of the Lua state.
  package var memoryBytesMax: Int
  /// The size of one encoded value that leaves Lua.
  package var messageBytesMax: Int
  /// The nesting of tables in a value that leaves Lua; never more than 128.
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
