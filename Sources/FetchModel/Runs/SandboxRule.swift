/// The rule whether plugins run if the kernel refuses the system call filter that confines them.
package enum SandboxRule: String, CaseIterable, Sendable {
  /// They do not run.
  case required
  /// They run with the restrictions that the kernel allows.
  case bestEffort = "best-effort"
}
