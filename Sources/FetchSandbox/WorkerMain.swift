import CWorker
import FetchModel
import FetchWire
import Glibc
import LuaVM

/// The main program of a worker process. It prepares Lua and libxml2, and gives up its privileges
/// as far as the system allows. Then it reports the restrictions in force and serves the host.
///
/// Later initialization opens no file, because the tables of libxml2 and ICU are in libraries that
/// are mapped when the process starts.
package enum WorkerMain {
  /// The exit statuses EX_SOFTWARE and EX_OSERR of sysexits.h.
  private static let internalFault: Int32 = 70
  private static let systemFault: Int32 = 71

  package static func run() -> Never {
    let descriptor = WireLimits.workerDescriptor
    guard lockdown_prepare(descriptor) == 0 else {
      stop("only fetchrun can start this program", systemFault)
    }
    let outbox = Outbox()
    guard let trusted = TrustedChunks() else { stop("there is no memory", internalFault) }
    if let problem = prepareLua(outbox) { stop(problem, internalFault) }
    _ = XMLParsing.ready
    let report = IsolationReport(lockdown_apply())
    outbox.send { frames throws(WireError) in try frames.hello(report) }
    let scheduler = RunScheduler(trusted: trusted, outbox: outbox)
    var loop = WorkerLoop(descriptor: descriptor, outbox: outbox, scheduler: scheduler)
    let end = loop.serve()
    if end == .closed { exit(0) }
    stop("\(end)", internalFault)
  }

  private static func prepareLua(_ outbox: Outbox) -> String? {
    // SAFETY: a worker has one thread.
    nonisolated(unsafe) let outbox = outbox
    return LuaEnvironment.prepare(
      library: { run, number, arguments, output in
        guard let context = run.context as? PluginRun else { return .refused }
        return LibraryCalls.call(number, of: context, scratch: &outbox.scratch, arguments, output)
      },
      notify: { run, message in
        guard let context = run.context as? PluginRun else { return 0 }
        return context.take(notice: message)
      })
  }

  private static func stop(_ message: String, _ status: Int32) -> Never {
    write("fetchrun-worker: \(message)\n")
    exit(status)
  }

  private static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

extension IsolationReport {
  fileprivate init(_ report: lockdown_report) {
    self.init()
    seccomp = report.seccomp
    landlockABI = Int(report.landlock_abi)
    noNewPrivileges = report.no_new_privileges
    resourceLimits = report.resource_limits
    filterProblem = Int(report.seccomp_problem)
  }
}

/// The loop of a locked-down worker. It reads frames, executes runs and writes frames until the
/// connection ends or fails. The worker's only thread sleeps in poll(2) when no run can continue,
/// or while the host reads too slowly.
struct WorkerLoop: ~Copyable {
  private let descriptor: Int32
  private let outbox: Outbox
  private let scheduler: RunScheduler
  private var reader = FrameReader()

  /// The number of pending output bytes above which the worker tries to write them before it
  /// handles the next frame.
  private static let earlyFlushBytes = 256 << 10

  init(descriptor: Int32, outbox: Outbox, scheduler: RunScheduler) {
    self.descriptor = descriptor
    self.outbox = outbox
    self.scheduler = scheduler
  }

  /// Serves the host until the connection ends or an error occurs, and returns the reason. `closed`
  /// is the normal reason.
  mutating func serve() -> WireError {
    do throws(WireError) {
      while true { try turn() }
    } catch { return error }
  }

  private mutating func turn() throws(WireError) {
    if try isClear() {
      try takeFrames()
      scheduler.runSlices()
    }
    if try !isClear() {
      _ = wait(for: POLLOUT)
    } else if try flush(), scheduler.hasReadyRuns {
      _ = try reader.fill(from: descriptor)
    } else if wait(for: readiness) & (POLLIN | POLLHUP | POLLERR) != 0 {
      _ = try reader.fill(from: descriptor)
    }
  }

  private var readiness: Int32 { outbox.frames.pendingBytes > 0 ? POLLIN | POLLOUT : POLLIN }

  /// Whether the backlog of output is small enough, after an attempt to write it. Otherwise the
  /// worker handles no further frames until the host has read some output.
  private func isClear() throws(WireError) -> Bool {
    if outbox.frames.isBacklogged { _ = try flush() }
    return !outbox.frames.isBacklogged
  }

  private func flush() throws(WireError) -> Bool {
    if let error = outbox.error { throw error }
    return try outbox.frames.flush(to: descriptor)
  }

  private mutating func takeFrames() throws(WireError) {
    while try isClear(), let frame = try reader.next() {
      try scheduler.take(try HostMessage.decode(frame), run: frame.run)
      if outbox.frames.pendingBytes > Self.earlyFlushBytes { _ = try flush() }
    }
  }

  private func wait(for events: Int32) -> Int32 {
    var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&watched, 1, -1) > 0 ? Int32(watched.revents) : 0
  }
}
