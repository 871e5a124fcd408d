/// The restrictions that the kernel enforces on a worker process. The process reports the
/// restrictions after it has restricted itself.
package struct IsolationReport: Equatable, Sendable {
  /// Whether a seccomp filter allows only listed system calls. All other calls are refused or end
  /// the process.
  package var seccomp = false
  /// The version of the active Landlock ABI; 0 without Landlock. Version 1 and later restrict
  /// files, and version 4 and later also restrict TCP ports.
  package var landlockABI = 0
  package var noNewPrivileges = false
  /// Whether address space, descriptors, processes, file size, locked memory and core dumps are all
  /// limited for the process.
  package var resourceLimits = false

  /// The error number with which the kernel refused the system call filter; 0 if the kernel
  /// accepted the filter. It is EPERM if the process could still gain privileges, because the
  /// filter is not installed in this case.
  package var filterProblem = 0

  package init() {}

  /// Whether the system call filter is active and the process cannot gain privileges. Without the
  /// filter, a compromised worker could open sockets. No plugin therefore runs without the filter
  /// unless the user allows it (`SandboxRule`).
  package var isConfined: Bool { seccomp && noNewPrivileges }

  /// A short text about the state of the system call filter and of Landlock.
  package var summary: String {
    let landlock = landlockABI > 0 ? "Landlock ABI \(landlockABI)" : "no Landlock"
    return (isConfined ? "system call filter, " : "no system call filter, ") + landlock
  }

  /// Whether all restrictions except Landlock are active. Landlock is optional.
  package var isComplete: Bool { seccomp && noNewPrivileges && resourceLimits }
}

/// The rule that decides whether plugins run without the system call filter if the kernel refuses
/// the filter.
package enum SandboxRule: String, CaseIterable, Sendable {
  /// No plugin runs.
  case required
  /// Plugins run with the restrictions that the kernel allows.
  case bestEffort = "best-effort"
}
