/// The ceilings of one run inside Lua. Each holds whatever the Lua code does.
package struct LuaRunLimits: Equatable, Sendable {
  /// CPU time of all slices together; seen every 10 ms of CPU time.
  package var cpuNanosecondsMax: UInt64
  /// A slice ends with `.preempted` after this much CPU time, at the next 10 ms tick.
  package var sliceNanosecondsMax: UInt64 = 10_000_000
  /// What the Lua state may hold.
  package var memoryBytesMax: Int
  /// One encoded value on its way out of Lua.
  package var messageBytesMax: Int
  /// Tables inside each other in a value on its way out; never more than 128.
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
