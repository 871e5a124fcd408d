import CHost
import FetchModel
import FetchValues
import Glibc
import Synchronization

/// One run of a program with input. If the program times out or is cancelled, the program and its
/// whole process group are killed. When the program ends, the remaining processes of its group are
/// killed. A process that has left the group may survive, but the run does not wait for it.
final class HookCommand: Sendable {
  enum End: Equatable, Sendable {
    /// The program's exit status, and the last line of its standard output and standard error; see
    /// `LastLine`.
    case exited(Int32, [UInt8])
    case killed(signal: Int32, [UInt8])
    case timedOut
    case cancelled
    case notStarted(String)
    /// The program ran, but the system did not return its status.
    case unknown
  }

  /// A program that has not been reaped, so that its ids cannot belong to other processes.
  private struct Running {
    var process: pid_t
    /// The id of the process group that the program joined.
    var group: pid_t
    /// The signal that ends the reading of the output.
    var wake: WakeSignal

    /// Kills the program first, because it may have left its group, as timeout(1) does. Then kills
    /// the group, and the group that the program may lead.
    func kill() {
      for id in [process, -group, -process] { _ = Glibc.kill(id, SIGKILL) }
      wake.ring()
    }
  }

  private struct State {
    /// The program until it is reaped.
    var running: Running?
    var isTimedOut = false
    var isCancelled = false
  }

  private let words: [String]
  private let environment: [String: String]
  private let input: [UInt8]
  private let timeout: Duration
  private let listener: (@Sendable (ArraySlice<UInt8>) -> Void)?
  private let state = Mutex(State())

  init(
    words: [String], environment: [String: String], input: [UInt8], timeout: Duration,
    listener: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil
  ) {
    self.words = words
    self.environment = environment
    self.input = input
    self.timeout = timeout
    self.listener = listener
  }

  func run() async -> End {
    let timer = Task(executorPreference: HostExecutor.shared) { [self] in
      do { try await HostClock().sleep(for: timeout) } catch { return }
      kill { $0.isTimedOut = true }
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isStarted = DedicatedThread.startIfPossible("hook command") { [self] in
          continuation.resume(returning: runHere())
        }
        if !isStarted { continuation.resume(returning: .notStarted(DedicatedThread.refusal)) }
      }
    } onCancel: {
      kill { $0.isCancelled = true }
    }
  }

  /// Kills the program and records the reason. While the lock is held, the program is not reaped.
  private func kill(_ reason: (inout State) -> Void) {
    state.withLock { state in
      reason(&state)
      state.running?.kill()
    }
  }

  private func runHere() -> End {
    // The listener writes to this process's output, whose reader may have ended.
    DedicatedThread.blockBrokenPipeSignal()
    guard let wake = WakeSignal() else { return .notStarted(ResourceShortage.message(errno)) }
    let leader = spawn_guard()
    guard leader.process > 0 else {
      return notStarted(
        leader.process, "fetchrun needs /bin/sh to run commands, but cannot start it: ")
    }
    defer { close(leader.lifeline) }
    let started = start(guardedBy: leader)
    guard started.process > 0 else {
      _ = Glibc.kill(leader.process, SIGKILL)
      _ = Self.status(of: leader.process)
      return notStarted(started.process)
    }
    let running = Running(process: started.process, group: leader.process, wake: wake)
    state.withLock { state in
      state.running = running
      if state.isCancelled || state.isTimedOut { running.kill() }
    }
    // Without this thread, a process that keeps the pipe open delays the end until the timeout.
    _ = DedicatedThread.startIfPossible("hook command end") { [self] in
      awaitEnd(of: running.process)
    }
    let output = read(started.output, until: wake)
    close(started.output)
    return end(reap(running), output)
  }

  private func notStarted(_ negatedCode: pid_t, _ what: String = "") -> End {
    .notStarted(what + String(cString: strerror(-negatedCode)))
  }

  /// Waits for the program's end without releasing its process id. Then kills the rest of its
  /// group, and ends the reading of the output.
  private func awaitEnd(of process: pid_t) {
    Self.waitForEnd(of: process)
    state.withLock { state in
      if state.running?.process == process { state.running?.kill() }
    }
  }

  private func reap(_ running: Running) -> Int32? {
    // The program may still run although it has closed its output.
    Self.waitForEnd(of: running.process)
    return state.withLock { state in
      running.kill()
      let status = Self.status(of: running.process)
      _ = Self.status(of: running.group)
      state.running = nil
      return status
    }
  }

  private static func waitForEnd(of process: pid_t) {
    var facts = siginfo_t()
    // WNOWAIT keeps the process id valid.
    while waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  /// Returns the status from `waitpid`; nil if `waitpid` fails, for example because this process
  /// ignores SIGCHLD.
  private static func status(of process: pid_t) -> Int32? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return status
  }

  private func end(_ status: Int32?, _ output: [UInt8]) -> End {
    let (isCancelled, isTimedOut) = state.withLock { ($0.isCancelled, $0.isTimedOut) }
    let signal = status.map { $0 & 0x7F }
    if signal != 0, isCancelled { return .cancelled }
    if signal != 0, isTimedOut { return .timedOut }
    guard let status, let signal else { return .unknown }
    return signal == 0
      ? .exited(status >> 8 & 0xFF, output) : .killed(signal: signal, output)
  }

  // MARK: Descriptors

  /// The maximum number of bytes to read after the wake signal. A pipe holds at most 1 MiB
  /// (pipe(7)). A process that has left the group could otherwise write for ever.
  private static let remainingBytesMax = 1 << 20

  /// Reads the output until no process has the pipe open, or until `wake` is rung. After the ring,
  /// reads only what the pipe already holds.
  private func read(_ pipe: Int32, until wake: WakeSignal) -> [UInt8] {
    var line = LastLine()
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    var remaining = Self.remainingBytesMax
    var watched = [pipe, wake.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while remaining > 0 {
      let ready = poll(&watched, nfds_t(watched.count), -1)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0, watched[0].revents != 0 else { break }
      let count = Glibc.read(pipe, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      listener?(chunk[..<count])
      line.append(chunk[..<count])
      if watched[1].revents != 0 { remaining -= count }
    }
    return line.bytes
  }

  private func start(guardedBy leader: spawn_guard_result) -> spawn_command_result {
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let none = spawn_command_result(process: -EINVAL, output: -1)
    return Self.withPointers(words) { words in
      Self.withPointers(variables) { variables in
        input.withUnsafeBytes { input in
          withUnsafePointer(to: leader) {
            spawn_hook(words, variables, input.baseAddress, input.count, $0)
          }
        }
      } ?? none
    } ?? none
  }

  /// Calls `body` with the texts as C strings; returns nil if there are no texts or no memory for
  /// them.
  static func withPointers<T>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>>) -> T
  ) -> T? {
    var pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    guard !pointers.isEmpty, pointers.allSatisfy({ $0 != nil }) else { return nil }
    pointers.append(nil)
    return pointers.withUnsafeMutableBufferPointer { list in
      list.baseAddress?.withMemoryRebound(
        to: UnsafeMutablePointer<CChar>.self, capacity: list.count
      ) { body($0) }
    }
  }
}

/// The last non-blank line of a program's output. Only the beginning of a very long line is kept
/// (see `bytesMax`).
struct LastLine {
  /// The maximum length of the kept line, in bytes. Messages are much shorter. If a message shows
  /// the beginning of a secret, the kept line therefore contains the whole secret, which can be
  /// redacted.
  static let bytesMax = SecretValue.bytesMax + (64 << 10)

  private var whole: [UInt8] = []
  private var current: [UInt8] = []

  var bytes: [UInt8] { Self.isBlank(current) ? whole : current }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while let end = rest.firstIndex(where: Self.endsLine) {
      add(rest[..<end])
      if !Self.isBlank(current) { whole = current }
      current.removeAll(keepingCapacity: true)
      rest = rest[(end + 1)...]
    }
    add(rest)
  }

  private mutating func add(_ part: ArraySlice<UInt8>) {
    current += part.prefix(Self.bytesMax - current.count)
  }

  /// Whether the byte ends a line. A carriage return also ends a line, because progress bars use it
  /// without a line feed.
  private static func endsLine(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private static func isBlank(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }
  }
}
