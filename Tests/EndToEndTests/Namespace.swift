import Foundation
import Synchronization

/// Network and mount namespaces for a started program (namespaces(7)). The program has only the
/// network that a test sets up, or reads a test's files instead of the kernel's.
enum Namespace {
  /// Whether this process runs as root and can create namespaces.
  static let isAvailable: Bool = {
    geteuid() == 0 && (try? run("/usr/bin/unshare", "--net", "--mount", "/bin/true")) == 0
  }()

  /// The launcher of a program whose only network is the loopback interface.
  static let withoutNetwork = [
    "/usr/bin/unshare", "--net", "/bin/sh", "-c", "/usr/sbin/ip link set lo up; exec \"$@\"", "sh",
  ]

  /// Returns a launcher whose program finds the test's file or folder `ours` at the kernel's path
  /// `theirs`.
  static func showing(_ replaced: [(theirs: String, ours: String)]) -> [String] {
    let mounts = replaced.map { "mount --bind '\($0.ours)' '\($0.theirs)' && " }.joined()
    return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mounts + "exec \"$@\"", "sh"]
  }

  /// Returns a launcher whose program finds an empty folder at `path` in which it can create
  /// nothing. As root, a program could create files in a folder that only lacks the permission.
  static func closing(_ path: String) -> [String] {
    let mount = "mount -t tmpfs -o ro none '\(path)' && exec \"$@\""
    return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mount, "sh"]
  }

  static let hasTwoEnds: Bool =
    isAvailable
    && (try? run(
      "/usr/bin/unshare", "--net", "/usr/sbin/ip", "link", "add", "left", "type", "veth", "peer",
      "name", "right")) == 0

  /// Changes the network of a process by ip(8) with the given arguments. Returns whether ip
  /// succeeded.
  static func network(of process: Int32, _ words: String) throws -> Bool {
    let command =
      ["--net=/proc/\(process)/ns/net", "/usr/sbin/ip"]
      + words.split(separator: " ").map(String.init)
    return try run("/usr/bin/nsenter", command) == 0
  }

  /// Runs `body` in the network of a process.
  static func inside<T: Sendable>(
    networkOf process: Int32, _ body: @escaping @Sendable () throws -> T
  ) throws -> T {
    let answer = Answer<T>()
    let isOver = DispatchSemaphore(value: 0)
    // Only this thread enters the namespace, and the thread ends with the block.
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

  /// Enters the network of a process by setns(2) with CLONE_NEWNET, a call that Swift's Glibc
  /// lacks.
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
