import Foundation
import Glibc

/// A terminal with a program on it, and somebody who types.
final class TypedTerminal {
  private let main: Int32
  /// Held, so that the terminal stays when the program has ended.
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
    // Nobody but the program has its end of it.
    for end in [main, side] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Whose terminal it is: what is typed may raise signals, as it does for people.
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

  /// Reads until that is on the terminal.
  func wait(for text: String) {
    while !shown.contains(text), readSome() {}
  }

  private func readSome() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(main, &bytes, bytes.count)
    if count > 0 { shown += String(decoding: bytes[..<count], as: UTF8.self) }
    return count > 0
  }

  /// The program's end, with all that it has shown.
  func end() -> Int32 {
    process.waitUntilExit()
    var place = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
    while poll(&place, 1, 0) == 1, place.revents & Int16(POLLIN) != 0, readSome() {}
    return process.terminationStatus
  }

  /// What the terminal does by itself: shows what is typed, gives it line by line, raises signals.
  var modes: tcflag_t {
    var settings = termios()
    guard tcgetattr(side, &settings) == 0 else { return 0 }
    return settings.c_lflag & Self.usual
  }

  static let usual = tcflag_t(ECHO | ICANON | ISIG)
}
