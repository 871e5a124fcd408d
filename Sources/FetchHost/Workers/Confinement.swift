import CHost
package import FetchModel
import Glibc

/// The kernel's support for confining workers, checked without starting a worker.
package struct Confinement: Equatable, Sendable {
  /// The reason why the kernel would refuse the system call filter; nil if the kernel would accept
  /// it.
  package var filterProblem: String?
  package var hasLandlock = true

  package init() {}

  package static var ofThisMachine: Confinement {
    var confinement = Confinement()
    let problem = system_filter_problem()
    if problem != 0 { confinement.filterProblem = String(cString: strerror(problem)) }
    confinement.hasLandlock = landlock_version() > 0
    return confinement
  }

  /// Returns the failure of a run on this machine if the rule forbids running plugins here; nil if
  /// the rule allows it.
  package func refusal(by rule: SandboxRule) -> Failure? {
    guard let filterProblem, rule == .required else { return nil }
    return Self.refusal(filterProblem)
  }

  /// Whether plugins were refused because they cannot be confined.
  package static func isRefusal(_ failure: Failure) -> Bool {
    failure.code == .workerUnavailable && failure.message.hasPrefix(refusalStart)
  }

  private static let refusalStart = "plugins are not run: "

  /// Returns the failure for a worker that could not install its system call filter, although the
  /// kernel supports such filters.
  static func refusal(_ report: IsolationReport) -> Failure {
    refusal(String(cString: strerror(Int32(truncatingIfNeeded: report.filterProblem))))
  }

  private static func refusal(_ problem: String) -> Failure {
    Failure(
      .workerUnavailable,
      refusalStart + "the kernel refuses the system call filter that confines plugins "
        + "(\(problem)); use a kernel or container that allows seccomp filters, or accept the risk "
        + "with `sandbox: best-effort` in the config or `--sandbox best-effort`")
  }

  /// The warning about a missing protection against plugins; nil if no protection is missing.
  package var warning: String? {
    if filterProblem != nil {
      return
        "plugins run without the system call filter (sandbox: best-effort): a plugin that breaks"
        + " out of Lua can open connections and start programs"
    }
    if hasLandlock { return nil }
    return "the kernel has no Landlock: the system call filter alone confines plugins"
  }
}
