/// The resources that a run has used so far.
package struct LuaUsage: Equatable, Sendable {
  package var cpuNanoseconds: UInt64
  package var memoryBytes: Int
  package var memoryBytesPeak: Int
  package var slices: Int
}
