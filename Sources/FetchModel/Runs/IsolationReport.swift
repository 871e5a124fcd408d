/// The restrictions of a worker process that the kernel really enforces, as found after its
/// lock-down.
package struct IsolationReport: Equatable, Sendable {
  /// Whether only the listed system calls are allowed; all others are refused or end the process.
  package var seccomp = false
  /// The active Landlock ABI (0: none). It blocks files from 1 on, and TCP ports from 4 on.
  package var landlockABI = 0
  package var noNewPrivileges = false
  /// Whether address space, descriptors, processes, file size and core dumps are limited.
  package var resourceLimits = false

  /// The error number with which the kernel refused the filter; 0 if it accepted it.
  package var filterProblem = 0

  package init() {}

  /// Whether the system call filter is active. Without it, a compromised worker could make sockets
  /// and processes, so no plugin runs unless its user allows that.
  package var isConfined: Bool { seccomp && noNewPrivileges }

  /// The filter and Landlock in a few words.
  package var summary: String {
    let landlock = landlockABI > 0 ? "Landlock ABI \(landlockABI)" : "no Landlock"
    return (isConfined ? "system call filter, " : "no system call filter, ") + landlock
  }

  /// Whether all required restrictions are active. Landlock is a second line of defence and
  /// optional.
  package var isComplete: Bool { seccomp && noNewPrivileges && resourceLimits }
}
