import Foundation
import Synchronization

/// A running program. Tests wait for its lines, never for fixed times.
final class Watched: Sendable {
  /// An output stream of the program.
  enum Stream: Sendable { case output, messages }

  private struct Lines {
    var output: [String] = []
    var messages: [String] = []
    var openCount = 2
  }

  private final class Page: Sendable {
    let lines = Mutex(Lines())
    let changed = DispatchSemaphore(value: 0)
  }

  let identifier: Int32
  private let process: Process
  private let page = Page()

  /// Starts the program. `launcher` is a command, with arguments, that executes the program.
  init(_ program: Program, _ arguments: [String], launcher: [String] = []) throws {
    let process = Process()
    let command = launcher + [Program.executable.path] + arguments
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = Program.top
    process.environment = program.environment
    process.standardInput = FileHandle.nullDevice
    let pipes = [Pipe(), Pipe()]
    process.standardOutput = pipes[0]
    process.standardError = pipes[1]
    try process.run()
    self.process = process
    identifier = process.processIdentifier
    for (pipe, stream) in zip(pipes, [Stream.output, .messages]) {
      let page = page
      let handle = pipe.fileHandleForReading
      let thread = Thread { Self.read(handle, stream, into: page) }
      thread.start()
    }
  }

  private static func read(_ handle: FileHandle, _ stream: Stream, into page: Page) {
    var rest = Data()
    while true {
      let bytes = handle.availableData
      rest.append(bytes)
      var lines: [String] = []
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        lines.append(String(decoding: rest[..<end], as: UTF8.self))
        rest = Data(rest[(end + 1)...])
      }
      page.lines.withLock { page in
        if stream == .output { page.output += lines } else { page.messages += lines }
        if bytes.isEmpty { page.openCount -= 1 }
      }
      page.changed.signal()
      if bytes.isEmpty { return }
    }
  }

  var output: [String] { page.lines.withLock { $0.output } }
  var messages: [String] { page.lines.withLock { $0.messages } }

  /// Waits until the lines of a stream satisfy the condition. Returns false if both streams end
  /// first.
  @discardableResult
  func wait(for stream: Stream, _ isWanted: ([String]) -> Bool) -> Bool {
    while true {
      let (lines, isOver) = page.lines.withLock { page in
        (stream == .output ? page.output : page.messages, page.openCount == 0)
      }
      if isWanted(lines) { return true }
      if isOver { return false }
      page.changed.wait()
    }
  }

  @discardableResult
  func wait(forMessage text: String) -> Bool {
    wait(for: .messages) { $0.contains { $0.contains(text) } }
  }

  var isRunning: Bool { process.isRunning }

  func signal(_ number: Int32) { kill(identifier, number) }

  /// Waits until the program receives the signal, or until it ends. Before that, the signal would
  /// end it (proc_pid_status(5), SigCgt).
  func waitUntilItReceives(_ number: Int32) {
    while !Task.isCancelled,
      let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8),
      let caught = status.firstMatch(of: /SigCgt:\s*([0-9a-f]+)/),
      UInt64(caught.1, radix: 16).map({ $0 >> UInt64(number - 1) & 1 }) != 1
    { sched_yield() }
  }

  /// Waits for the program's end and returns its status in the form that a shell reports.
  @discardableResult
  func end() -> Int32 {
    wait(for: .output) { _ in false }
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
  }
}
