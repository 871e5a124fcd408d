import Foundation

/// A process that commits runs until it is killed, or until its disk fails.
final class CrashHelper {
  let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private var rest = Data()

  /// - Parameter failingSync: the number of the fsync that fails, or nil if no fsync fails.
  init(store: String, failingSync: Int? = nil) throws {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = tests.deletingLastPathComponent().appending(path: "StoreCrashHelper")
    process.arguments = [store] + [failingSync].compactMap { $0.map(String.init) }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// Returns the next run whose commit was acknowledged, or nil after the process has ended.
  func nextAcknowledged() -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = Data(rest[(end + 1)...]) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let bytes = output.fileHandleForReading.availableData
      if bytes.isEmpty { return nil }
      rest.append(bytes)
    }
  }

  /// Waits until the process ends and returns its remaining output. Returns nil if a signal ended
  /// the process.
  func lines() -> [String]? {
    var lines: [String] = []
    while let line = nextAcknowledged() { lines.append(line) }
    process.waitUntilExit()
    return process.terminationReason == .exit ? lines : nil
  }

  /// Waits for output on standard error, and returns all of this output so far.
  func word() -> String {
    String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
  }

  /// Kills the process and returns the acknowledgements that were not read yet.
  func kill() -> [String] {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    var acknowledged: [String] = []
    while let run = nextAcknowledged() { acknowledged.append(run) }
    return acknowledged
  }
}
