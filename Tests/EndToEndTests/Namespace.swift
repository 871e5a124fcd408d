import Foundation
import Synchronization

/// A program's own network and mounts (namespaces(7)): no network except what a test sets up, and
/// files of the kernel replaced by the test's.
enum Namespace {
  /// Whether a namespace can be made here: only by root.
  static let isAvailable: Bool = {
    geteuid() == 0 && (try? run("/usr/bin/unshare", "--net", "--mount", "/bin/true")) == 0
  }()

  /// Starts a program without a network except the machine itself.
  static let withoutNetwork = [
    "/usr/bin/unshare", "--net", "/bin/sh", "-c", "/usr/sbin/ip link set lo up; exec \"$@\"", "sh",
  ]

  /// Starts a program that finds `file` or `folder` instead of the kernel's.
  static func showing(_ replaced: [(theirs: String, ours: String)]) -> [String] {
    let mounts = replaced.map { "mount --bind '\($0.ours)' '\($0.theirs)' && " }.joined()
    return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mounts + "exec \"$@\"", "sh"]
  }

  static let hasTwoEnds: Bool =
    isAvailable
    && (try? run(
      "/usr/bin/unshare", "--net", "/usr/sbin/ip", "link", "add", "left", "type", "veth", "peer",
      "name", "right")) == 0

  /// Changes the network of a process with the words of ip(8).
  static func network(of process: Int32, _ words: String) throws -> Bool {
    let command =
      ["--net=/proc/\(process)/ns/net", "/usr/sbin/ip"]
      + words.split(separator: " ").map(String.init)
    return try run("/usr/bin/nsenter", command) == 0
  }

  /// Runs `body` in the network of that process.
  static func inside<T: Sendable>(
    networkOf process: Int32, _ body: @escaping @Sendable () throws -> T
  ) throws -> T {
    let answer = Answer<T>()
    let isOver = DispatchSemaphore(value: 0)
    // Only the thread moves, and it ends with the block.
    let thread = Thread {
      let result = Result {
        try enter(networkOf: process)
        return try body()
      }
      answer.result.withLock { $0 = result }
      isOver.signal()
    }
    thread.start()
    isOver.wait()
    guard let result = answer.result.withLock({ $0 }) else { throw POSIXError(.ECANCELED) }
    return try result.get()
  }

  private final class Answer<T: Sendable>: Sendable {
    let result = Mutex<Result<T, any Error>?>(nil)
  }

  /// setns(2), which Swift's Glibc does not have, with CLONE_NEWNET.
  private static func enter(networkOf process: Int32) throws {
    typealias Function = @convention(c) (Int32, Int32) -> Int32
    let network = open("/proc/\(process)/ns/net", O_RDONLY | O_CLOEXEC)
    guard network >= 0, let found = dlsym(nil, "setns") else { throw POSIXError(.ENOENT) }
    defer { close(network) }
    guard unsafeBitCast(found, to: Function.self)(network, 0x4000_0000) == 0 else {
      throw POSIXError(.EPERM)
    }
  }

  @discardableResult
  static func run(_ program: String, _ arguments: String...) throws -> Int32 {
    try run(program, arguments)
  }

  static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
