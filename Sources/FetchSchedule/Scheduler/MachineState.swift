/// The state of the machine that conditions are compared with, besides the network.
package struct MachineState: Hashable, Sendable {
  package var isOnACPower = true
  /// The load average of the last minute.
  package var load = 0.0

  package init() {}
}
