import CHost
package import FetchModel
import FetchValues
import FetchWire
import Glibc

/// One worker process, with the runs and the plugin that the host has given to it. Only the thread
/// of `WorkerSupervisor` uses this class.
final class WorkerProcess {
  enum Phase { case starting, loading, ready }

  let id: UInt64
  let process: pid_t
  let descriptor: Int32
  /// The file that shows the memory of the process: see `ProcessProbe.residentBytes`.
  private let memoryFile: Int32
  let plugin: PluginSource
  /// Whether the process executes only one run, because of the run's `isolation` or because earlier
  /// workers of the run crashed.
  let isDedicated: Bool
  let startedAt: UInt64

  /// The `WorkerRun.extraGrant` that all runs of this process have; nil before the first run.
  private(set) var extraGrant: ExtraGrant?
  var phase = Phase.starting
  var isolation: IsolationReport?
  var manifest: [UInt8]?
  var reader = FrameReader()
  var writer = FrameWriter()
  var runs: [UInt32: ActiveRun] = [:]
  /// The runs whose answers to host calls are not encoded yet, in the order in which the answers
  /// arrived. The answers wait while too much output for the worker is buffered.
  var heldReplies: [ActiveRun] = []
  var inspections: [Inspection] = []
  /// The number of runs in the worker that do not wait for the host.
  var executingCount = 0 { didSet { if executingCount > 0 { account.endRest() } } }
  /// The CPU time and the memory that the process may use.
  var account = WorkerAccount()
  var startedCount = 0
  var isRetiring = false
  /// Whether only the first entry of the queue may get a place in this process. See
  /// `WorkerSupervisor.reserve`.
  var isReserved = false
  var isFlushQueued = false
  var isWriteAwaited = false
  var lastHeardAt: UInt64
  var cpuWhenLastHeard: UInt64 = 0
  var isPinged = false
  /// The number of pings that the worker has not answered yet.
  private var unansweredCount = 0
  var idleSince: UInt64
  private var lastWireID: UInt32 = 0

  init(
    id: UInt64, plugin: PluginSource, isDedicated: Bool, now: UInt64,
    configuration: WorkerPoolConfiguration
  ) throws(Failure) {
    let spawned = spawn_worker(configuration.executable, configuration.errorDescriptor ?? -1)
    guard spawned.process > 0 else {
      let reason = String(cString: strerror(-spawned.process))
      throw Failure(
        .workerUnavailable,
        "the worker process \(configuration.executable) cannot be started: \(reason)",
        retryable: true)
    }
    process = spawned.process
    descriptor = spawned.descriptor
    memoryFile = ProcessProbe.openMemoryFile(of: spawned.process)
    account.memoryBytesBase = configuration.memoryBytesBase
    self.id = id
    self.plugin = plugin
    self.isDedicated = isDedicated
    (startedAt, lastHeardAt, idleSince) = (now, now, now)
  }

  /// The resident memory of the process in bytes; nil if it cannot be read.
  var residentBytes: Int? { ProcessProbe.residentBytes(memoryFile) }

  /// Closes the descriptors of the process. Call it once, when the worker is given up.
  func closeDescriptors() {
    close(descriptor)
    if memoryFile >= 0 { close(memoryFile) }
  }

  /// Whether the process is starting, loading a plugin, or executing runs.
  var isBusy: Bool { executingCount > 0 || phase != .ready }
  var isIdle: Bool { runs.isEmpty && inspections.isEmpty && phase == .ready }

  func adopt(_ run: ActiveRun) {
    repeat { lastWireID &+= 1 } while runs[lastWireID] != nil || lastWireID == 0
    if runs.count == 1, let other = runs.values.first { other.attempt.isAlone = false }
    runs[lastWireID] = run
    account.place(run.run.limits)
    extraGrant = run.run.extraGrant
    run.wireID = lastWireID
    run.worker = self
    run.phase = .placed
    executingCount += 1
  }

  func drop(_ run: ActiveRun) {
    runs[run.wireID] = nil
    account.drop(run.run.limits)
    if case .waiting = run.phase { return }
    executingCount -= 1
  }

  func pinged() {
    isPinged = true
    unansweredCount += 1
  }

  func takePong() throws(WireError) {
    guard unansweredCount > 0 else { throw .unexpected("an answer without a ping") }
    unansweredCount -= 1
  }

  func heard(_ now: UInt64) {
    lastHeardAt = now
    isPinged = false
  }
}

/// A request for a plugin's manifest.
struct Inspection: Sendable {
  let plugin: PluginSource
  let deliver: @Sendable (Result<[UInt8], Failure>) -> Void
  var attemptCount = 0
}

/// The kernel's facts about a process. The facts distinguish a stopped worker from a worker that
/// computes, and show the resources that a worker really uses.
enum ProcessProbe {
  /// Returns the CPU time of the process in nanoseconds; nil if the process no longer exists.
  static func cpu(_ process: pid_t) -> UInt64? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return nil
    }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Opens the file that shows the memory of a process; negative if that fails. Call it before the
  /// process protects its memory. If `/proc` hides processes (`hidepid`, `ProtectProc` of systemd),
  /// the file cannot be opened later.
  static func openMemoryFile(of process: pid_t) -> Int32 {
    open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
  }

  /// Returns the resident memory of a process in bytes; nil if it cannot be read.
  static func residentBytes(_ memoryFile: Int32) -> Int? {
    var text = [UInt8](repeating: 0, count: 256)
    let count = pread(memoryFile, &text, text.count, 0)
    guard count > 0 else { return nil }
    // The text has numbers of pages: the whole size, the resident size, and others.
    let words = text[..<count].split(separator: UInt8(ascii: " "))
    guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else {
      return nil
    }
    return pages &* sysconf(Int32(_SC_PAGESIZE))
  }

  /// Whether a child of this process is dead, or was stopped by a signal.
  static func isHalted(_ process: pid_t) -> Bool {
    var facts = siginfo_t()
    let kinds = WEXITED | WSTOPPED | WNOHANG | WNOWAIT
    // Without a change of state, the system call fills in no signal.
    return waitid(P_PID, id_t(process), &facts, kinds) != 0 || facts.si_signo != 0
  }
}

/// The search for the worker program.
package enum WorkerExecutable {
  package static let name = "fetchrun-worker"
  /// The environment variable that gives the path of the worker program, so that no search is
  /// needed. It is for packagers and tests.
  package static let environmentName = "FETCHRUN_WORKER"

  /// Returns the path in `FETCHRUN_WORKER` if the variable is set. Otherwise, searches for the
  /// worker program in this program's folder and in `../libexec/fetchrun/` relative to that folder.
  /// Returns nil if neither folder has an executable worker program.
  package static func locate() -> String? {
    BesideExecutable.locate(name, environmentName)
  }
}

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

  /// Returns the failure that every run gets if the rule requires the system call filter but the
  /// kernel refuses it; nil if plugins may run.
  package func refusal(by rule: SandboxRule) -> Failure? {
    guard let filterProblem, rule == .required else { return nil }
    return Self.refusal(filterProblem)
  }

  /// Whether the failure says that plugins are not run because they cannot be confined.
  package static func isRefusal(_ failure: Failure) -> Bool {
    failure.code == .workerUnavailable && failure.message.hasPrefix(refusalStart)
  }

  private static let refusalStart = "plugins are not run: "

  /// Returns the failure for a worker that has no system call filter although the sandbox rule
  /// requires it. The failure names the kernel's error.
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
        "plugins run without the system call filter (sandbox: best-effort): only Landlock, if"
        + " available, confines a plugin that breaks out of Lua"
    }
    if hasLandlock { return nil }
    return
      "Landlock is not available: only the system call filter confines a plugin that breaks out of"
      + " Lua"
  }
}
