import Glibc

/// How many worker processes there are, and for how long.
package struct WorkerPoolConfiguration: Sendable {
  package enum Lockdown: Sendable {
    /// Runs go on where the kernel refuses a part of the lock-down; reports say so.
    case prefer
    /// No plugin text reaches a worker without the system call filter.
    case require
  }

  /// The worker program.
  package var executable: String
  /// Workers that compute at the same time; those that wait for the host do not count.
  package var busyWorkersMax = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  /// Worker processes alive at the same time.
  package var workersMax = 64
  /// Runs in one worker at the same time: what a crash makes the host repeat.
  package var runsPerWorkerMax = 256
  /// After this many runs a worker is replaced, should a library leak.
  package var runsBeforeRetirement = 20_000
  /// An idle worker is kept this long for the next run of its plugin.
  package var idleTimeout: Duration = .seconds(60)
  /// From the start of the process until its plugin is loaded.
  package var startTimeout: Duration = .seconds(10)
  package var lockdown = Lockdown.require
  /// Where workers write what the Swift runtime says when they crash; nil: nowhere.
  package var errorDescriptor: Int32?

  package init(executable: String) { self.executable = executable }
}
