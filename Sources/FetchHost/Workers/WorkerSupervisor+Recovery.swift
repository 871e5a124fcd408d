import CHost
import DequeModule
import FetchModel
import FetchValues
import Glibc

/// The steps after a worker process has crashed or must be ended.
///
/// A run that waited for the host in a shared process did not cause the crash, so it is repeated.
/// After a second such crash, it is repeated in a process of its own. Any other crash counts as
/// caused by the run. The run is then repeated once, in a process of its own, and fails after the
/// next such crash. A run that had not started, because its worker was still starting, is also
/// repeated once. A run that the host was already ending is not repeated. The journal answers the
/// host calls that a repeated run makes again. A run whose journal is incomplete fails instead.
extension WorkerSupervisor {
  private static let crashesMax = 2
  private static let exposuresMax = 2

  /// Kills a worker that can no longer be used, for example after a crash or invalid data. Repeats
  /// its runs or delivers their failures.
  func lose(_ worker: WorkerProcess) {
    guard workers[worker.id] != nil else { return }
    for run in worker.runs.values where run.isStarted {
      run.lostCPU += held(RunUsage(), of: run, worker).cpu
    }
    detach(worker)
    kill(worker.process, SIGKILL)
    let end = Self.words(for: reap(worker.process))
    let lost = worker.runs.values.sorted { $0.id < $1.id }
    worker.runs = [:]
    worker.heldReplies = []
    repeatInspections(of: worker, end)
    let again = lost.filter { isRepeatable($0, worker, end) }
    for run in again {
      run.worker = nil
      run.phase = .queued
      run.run.waits?.setWaitsForWorker(true)
      run.heldAnswer = nil
      run.deadline = .max
    }
    queue.prepend(contentsOf: again.map { .run($0) })
  }

  /// Returns whether the run is to be repeated. If not, delivers its failure.
  private func isRepeatable(_ run: ActiveRun, _ worker: WorkerProcess, _ end: String) -> Bool {
    switch run.phase {
    case .queued: return true
    case .ending(let failure):
      deliver(run, failure)
      return false
    case .placed where worker.phase == .starting:
      run.unstartedCount += 1
      if run.unstartedCount < Self.crashesMax { return true }
      deliver(run, startFailure(end))
      return false
    case .placed, .executing: run.crashCount += 1
    case .waiting:
      if worker.isDedicated { run.crashCount += 1 } else { run.exposureCount += 1 }
    }
    if let failure = Self.lastFailure(of: run, end) {
      deliver(run, failure)
      return false
    }
    run.needsOwnWorker =
      run.run.isolation == .perRun || run.crashCount > 0 || run.exposureCount >= Self.exposuresMax
    return true
  }

  /// Returns the failure of a run that may not be repeated; nil if the run may be repeated.
  private static func lastFailure(of run: ActiveRun, _ end: String) -> Failure? {
    let what = "the worker process ended during this run (\(end))"
    if run.crashCount >= crashesMax {
      return Failure(
        .workerCrashed,
        "\(what) each time the run was tried;"
          + " the plugin may trigger a fault in Lua or in a library")
    }
    guard run.journal.isIncomplete else { return nil }
    return Failure(
      .workerCrashed, "\(what); the run had received too much data to be repeated", retryable: true)
  }

  private func deliver(_ run: ActiveRun, _ failure: Failure) {
    runs[run.id] = nil
    run.end(.failure(failure), usage: RunUsage())
  }

  private func repeatInspections(of worker: WorkerProcess, _ end: String) {
    for var inspection in worker.inspections {
      inspection.attemptCount += 1
      if inspection.attemptCount < Self.crashesMax {
        queue.append(.inspection(inspection))
      } else {
        inspection.deliver(
          .failure(
            worker.phase == .starting
              ? startFailure(end)
              : Failure(
                .workerCrashed, "the worker process ended while loading the plugin (\(end))")))
      }
    }
    worker.inspections = []
  }

  private func startFailure(_ end: String) -> Failure {
    if end == Self.words(for: LoaderReport.exitStatus << 8),
      let report = LoaderReport.of(configuration.executable)
    {
      return Failure(
        .workerUnavailable, "\(WorkerExecutable.name) cannot start: \(report)", retryable: true)
    }
    return Failure(
      .workerUnavailable, "the worker process ended before it was ready (\(end))",
      retryable: true)
  }

  private static func words(for status: Int32) -> String {
    let signal = status & 0x7f
    if signal == 0 { return "exit status \(status >> 8 & 0xff)" }
    return "signal \(signal), \(String(cString: strsignal(signal)))"
  }
}

/// The dynamic loader's message about a worker program that cannot start. The host does not read
/// the standard error of workers. To read a message about a missing library, the host therefore
/// starts the program once more.
package enum LoaderReport {
  /// The exit status of a program that the loader cannot start.
  static let exitStatus: Int32 = 127
  private static let bytesMax = 4096
  private static let waitMax: Duration = .seconds(2)

  /// Returns the first line of the program's output, rewritten by `words(for:)`, for example
  /// `liblua5.4.so.0 is missing: apt-get install liblua5.4-0`. Returns nil if the program has no
  /// output or cannot be started. Waits for the output for at most 2 seconds.
  static func of(_ executable: String) -> String? {
    // `words(for:)` expects the loader's messages in English.
    let started = HookCommand.withPointers([executable]) { words in
      HookCommand.withPointers(["LC_ALL=C"]) { spawn_hook(words, $0, nil, 0, nil) }
    }
    guard let started = started ?? nil, started.process > 0 else { return nil }
    let text = read(started.output)
    close(started.output)
    kill(-started.process, SIGKILL)
    var status: Int32 = 0
    while waitpid(started.process, &status, 0) < 0, errno == EINTR {}
    return words(for: text)
  }

  private static func read(_ pipe: Int32) -> String {
    let deadline = ContinuousClock.now + waitMax
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1024)
    while bytes.count < bytesMax {
      let left = ContinuousClock.now.duration(to: deadline).wholeMilliseconds
      guard left > 0 else { break }
      var wanted = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, Int32(clamping: left)) > 0 else { continue }
      let count = Glibc.read(pipe, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the first line of a program's output as a message for people, or nil if there is no
  /// line. If the line reports a missing shared library, the message names the library and the way
  /// to install it. For any other message about shared libraries, returns the part after
  /// `libraries: `.
  package static func words(for text: String) -> String? {
    guard let line = text.split(separator: "\n").first else { return nil }
    let marker = "error while loading shared libraries: "
    guard let place = line.firstRange(of: marker) else { return String(line.prefix(300)) }
    let rest = line[place.upperBound...]
    guard rest.contains("No such file"), let colon = rest.firstIndex(of: ":") else {
      return String(rest.prefix(300))
    }
    let library = rest[..<colon].prefix(100)
    guard let package = debianPackage(of: library) else {
      return "\(library) is missing: install its package"
    }
    return "\(library) is missing: apt-get install \(package)"
  }

  /// Returns the Debian package that contains a library of the worker; nil for any other library.
  private static func debianPackage(of library: Substring) -> String? {
    switch library {
    case "liblua5.4.so.0": return "liblua5.4-0"
    case "libxml2.so.2": return "libxml2"
    default:
      // The package libicu72 contains libicuuc.so.72 and libicudata.so.72.
      guard library.hasPrefix("libicu"), let dot = library.lastIndex(of: ".") else { return nil }
      let number = library[library.index(after: dot)...]
      return !number.isEmpty && number.allSatisfy(\.isWholeNumber) ? "libicu\(number)" : nil
    }
  }
}
