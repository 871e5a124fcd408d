/// What the kernel really holds a worker process to, as found after its lock-down.
package struct IsolationReport: Equatable, Sendable {
  /// Only the system calls on the allow list; everything else is refused or ends the process.
  package var seccomp = false
  /// The Landlock ABI in force (0: none). From 1 on no file can be opened, from 4 on no TCP port.
  package var landlockABI = 0
  package var noNewPrivileges = false
  /// Address space, descriptors, processes, file size and core dumps are bounded.
  package var resourceLimits = false

  /// The error number with which the kernel refused the filter; 0 where it did not.
  package var filterProblem = 0

  package init() {}

  /// Whether the system call filter is in force: without it a worker that was broken into could make
  /// sockets and processes. No plugin runs without it, unless its user says so.
  package var isConfined: Bool { seccomp && noNewPrivileges }

  /// The filter and Landlock, in a few words.
  package var summary: String {
    let landlock = landlockABI > 0 ? "Landlock ABI \(landlockABI)" : "no Landlock"
    return (isConfined ? "system call filter, " : "no system call filter, ") + landlock
  }

  /// Everything that matters is in force. Landlock is a second net and not asked for.
  package var isComplete: Bool { seccomp && noNewPrivileges && resourceLimits }
}
