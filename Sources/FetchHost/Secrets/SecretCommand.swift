import CHost
import FetchModel
import FetchValues
import Glibc

/// The run of a program that prints a secret to its standard output. The program has this process's
/// environment, its own process group and an empty input. Its standard error is discarded.
enum SecretCommand {
  /// The time limit of a program. A password store needs much less than a second, but a card reader
  /// or an agent may need several seconds.
  private static let timeout: Duration = .seconds(10)
  private static let outputBytesMax = SecretValue.bytesMax + 1024

  /// Returns the output of a program. A separate thread waits for the program.
  static func output(
    of words: [String], within timeout: Duration = timeout
  ) async throws(SecretProblem) -> [UInt8] {
    let result: Result<[UInt8], SecretProblem> = await withCheckedContinuation { continuation in
      let isStarted = DedicatedThread.startIfPossible("secret command") {
        continuation.resume(
          returning: Result { () throws(SecretProblem) in
            try run(words, until: .now + timeout, timeout)
          })
      }
      if !isStarted {
        let problem = SecretProblem(DedicatedThread.refusal, retryable: true)
        continuation.resume(returning: .failure(problem))
      }
    }
    return try result.get()
  }

  private static func run(
    _ words: [String], until deadline: ContinuousClock.Instant, _ timeout: Duration
  ) throws(SecretProblem) -> [UInt8] {
    let name = words.first ?? ""
    let started = start(words)
    guard started.process > 0 else {
      let why = String(cString: strerror(-started.process))
      throw SecretProblem("'\(name)' cannot be started: \(why)")
    }
    defer { close(started.output) }
    let output = read(started.output, until: deadline)
    let status = end(started.process, isDone: output != nil, until: deadline)
    guard let output, let status else {
      throw SecretProblem(
        "'\(name)' did not end within \(timeout.shortText), or its output is too long for a secret",
        retryable: true)
    }
    guard status == 0 else { throw SecretProblem("'\(name)' ended with \(word(for: status))") }
    return output
  }

  private static func start(_ words: [String]) -> spawn_command_result {
    let none = spawn_command_result(process: -EINVAL, output: -1)
    var arguments = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    guard !arguments.isEmpty, arguments.allSatisfy({ $0 != nil }) else { return none }
    arguments.append(nil)
    return arguments.withUnsafeMutableBufferPointer { list in
      guard let first = list.baseAddress else { return none }
      return first.withMemoryRebound(
        to: UnsafeMutablePointer<CChar>.self, capacity: list.count
      ) { spawn_command($0) }
    }
  }

  /// Returns the output; nil if the deadline has passed or the output exceeds `outputBytesMax`.
  private static func read(_ pipe: Int32, until deadline: ContinuousClock.Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= outputBytesMax {
      let left = ContinuousClock.now.duration(to: deadline).wholeMilliseconds
      guard left > 0 else { return nil }
      var wanted = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, Int32(clamping: left)) > 0 else { continue }
      let count = Glibc.read(pipe, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0 { bytes += chunk[..<count] }
    }
    return nil
  }

  /// Waits for the end of the program and returns the status from `waitpid`, or -1 if `waitpid`
  /// fails. Returns nil if the program and its group had to be killed.
  private static func end(
    _ process: pid_t, isDone: Bool, until deadline: ContinuousClock.Instant
  ) -> Int32? {
    var status: Int32 = 0
    while isDone, ContinuousClock.now < deadline {
      switch waitpid(process, &status, WNOHANG) {
      case process: return status
      case 0: poll(nil, 0, 1)  // The program has closed its output and is about to end.
      default: if errno != EINTR { return -1 }
      }
    }
    kill(-process, SIGKILL)
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return nil
  }

  private static func word(for status: Int32) -> String {
    let signal = status & 0x7F
    return signal == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(signal)"
  }
}
