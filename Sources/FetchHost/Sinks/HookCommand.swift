import CHost
import FetchModel
import FetchValues
import Glibc
import Synchronization

/// One run of a program with input. If the program times out or is cancelled, the program and its
/// whole process group are killed. When the program ends, the remaining processes of its group are
/// killed.
final class HookCommand: Sendable {
  enum End: Equatable, Sendable {
    /// The program's exit status, and the last line of its standard output and standard error; see
    /// `LastLine`.
    case exited(Int32, [UInt8])
    case killed(signal: Int32, [UInt8])
    case timedOut
    case cancelled
    case notStarted(String)
  }

  private struct State {
    /// The id of the process group while the program runs; nil otherwise, because the id may later
    /// belong to another process.
    var group: pid_t?
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

  /// Kills the group and records the reason. While the lock is held, the group's id is not
  /// released, so the id cannot belong to another process.
  private func kill(_ reason: (inout State) -> Void) {
    state.withLock { state in
      reason(&state)
      if let group = state.group { _ = Glibc.kill(-group, SIGKILL) }
    }
  }

  private func runHere() -> End {
    let leader = spawn_guard()
    guard leader.process > 0 else {
      return notStarted(
        leader.process, "fetchrun needs /bin/sh to run commands, but cannot start it: ")
    }
    defer { close(leader.lifeline) }
    let started = start(in: leader.process)
    guard started.process > 0 else {
      _ = Glibc.kill(leader.process, SIGKILL)
      _ = Self.status(of: leader.process)
      return notStarted(started.process)
    }
    let (process, group) = (started.process, leader.process)
    state.withLock { state in
      state.group = group
      if state.isCancelled || state.isTimedOut { _ = Glibc.kill(-group, SIGKILL) }
    }
    // Kills the rest of the group when the program ends, because other processes in the group could
    // keep the pipe open. Without this thread, the timeout kills processes that keep the pipe open.
    _ = DedicatedThread.startIfPossible("hook command end") { [self] in
      awaitEnd(of: process, in: group)
    }
    let output = read(started.output)
    close(started.output)
    return end(reap(process, group), output)
  }

  private func notStarted(_ negatedCode: pid_t, _ what: String = "") -> End {
    .notStarted(what + String(cString: strerror(-negatedCode)))
  }

  /// Waits for the program's end without releasing its process id, then kills the rest of its
  /// group.
  private func awaitEnd(of process: pid_t, in group: pid_t) {
    var facts = siginfo_t()
    while waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    state.withLock { state in
      if state.group == group { _ = Glibc.kill(-group, SIGKILL) }
    }
  }

  private func reap(_ process: pid_t, _ group: pid_t) -> Int32 {
    var facts = siginfo_t()
    // The program may still run although it has closed its output. WNOWAIT keeps its process id
    // valid.
    while waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return state.withLock { state in
      _ = Glibc.kill(-group, SIGKILL)
      let status = Self.status(of: process)
      _ = Self.status(of: group)
      state.group = nil
      return status
    }
  }

  private static func status(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private func end(_ status: Int32, _ output: [UInt8]) -> End {
    let (isCancelled, isTimedOut) = state.withLock { ($0.isCancelled, $0.isTimedOut) }
    let signal = status & 0x7F
    if signal != 0, isCancelled { return .cancelled }
    if signal != 0, isTimedOut { return .timedOut }
    return signal == 0
      ? .exited(status >> 8 & 0xFF, output) : .killed(signal: signal, output)
  }

  // MARK: Descriptors

  private func read(_ pipe: Int32) -> [UInt8] {
    var line = LastLine()
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = Glibc.read(pipe, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return line.bytes }
      listener?(chunk[..<count])
      line.append(chunk[..<count])
    }
  }

  private func start(in group: pid_t) -> spawn_command_result {
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let none = spawn_command_result(process: -EINVAL, output: -1)
    return Self.withPointers(words) { words in
      Self.withPointers(variables) { variables in
        input.withUnsafeBytes { spawn_hook(words, variables, $0.baseAddress, $0.count, group) }
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
