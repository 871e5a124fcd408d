/// The rule for whether plugins run if the kernel refuses the system call filter that confines
/// them.
package enum SandboxRule: String, CaseIterable, Sendable {
  /// No plugin runs.
  case required
  /// Plugins run with the restrictions that the kernel allows.
  case bestEffort = "best-effort"
}
