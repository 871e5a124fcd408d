/// Whether plugins run where the kernel refuses the system call filter that confines them.
package enum SandboxRule: String, CaseIterable, Sendable {
  /// They do not.
  case required
  /// They run with whatever the kernel allows.
  case bestEffort = "best-effort"
}
