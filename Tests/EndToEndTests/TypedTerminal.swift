import Foundation
import Glibc

/// A terminal with a program to which a test types.
final class TypedTerminal {
  private let main: Int32
  /// The descriptor that keeps the terminal open after the program's end.
  private let side: Int32
  private let process = Process()
  private(set) var shown = ""

  static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")

  init(_ program: Program, _ arguments: [String], environment: [String: String] = [:]) throws {
    var (main, side): (Int32, Int32) = (-1, -1)
    guard openpty(&main, &side, nil, nil, nil) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    (self.main, self.side) = (main, side)
    // Other started programs must not inherit the ends of the terminal.
    for end in [main, side] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The terminal must be the program's controlling terminal, so that typed characters can raise
    // signals.
    process.executableURL = URL(filePath: "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait", Program.executable.path] + arguments
    process.currentDirectoryURL = program.folder
    process.environment = program.environment.merging(environment) { $1 }
    let handle = FileHandle(fileDescriptor: side, closeOnDealloc: false)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
  }

  deinit {
    close(main)
    close(side)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(main, bytes, bytes.count)
  }

  /// Reads until the text is on the terminal.
  func wait(for text: String) {
    while !shown.contains(text), readSome() {}
  }

  private func readSome() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(main, &bytes, bytes.count)
    if count > 0 { shown += String(decoding: bytes[..<count], as: UTF8.self) }
    return count > 0
  }

  /// Waits for the program's end and returns its status. Afterwards `shown` is the program's whole
  /// output.
  func end() -> Int32 {
    process.waitUntilExit()
    var place = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
    while poll(&place, 1, 0) == 1, place.revents & Int16(POLLIN) != 0, readSome() {}
    return process.terminationStatus
  }

  /// The modes of the terminal: whether it echoes typed text, delivers it by lines, and raises
  /// signals.
  var modes: tcflag_t {
    var settings = termios()
    guard tcgetattr(side, &settings) == 0 else { return 0 }
    return settings.c_lflag & Self.usual
  }

  static let usual = tcflag_t(ECHO | ICANON | ISIG)
}
