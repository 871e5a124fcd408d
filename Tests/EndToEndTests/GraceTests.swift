import FetchTestSupport
import Foundation
import Testing

/// Tests of the end of a daemon whose threads are blocked.
@Suite(.timeLimit(.minutes(5))) struct GraceTests {
  /// The offset of the byte in a -shm file that writers of a database in WAL mode lock
  /// (https://sqlite.org/walformat.html).
  private static let writeLock: off_t = 120

  /// Blocks all writers of the store, like a disk that hangs. The lock ends when the returned
  /// descriptor is closed.
  private func lock(_ store: String) throws -> Int32 {
    let descriptor = open(store + "-shm", O_RDWR | O_CLOEXEC)
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (Self.writeLock, 1)
    try #require(fcntl(descriptor, F_SETLKW, &lock) == 0)
    return descriptor
  }

  @Test(arguments: [("100ms", 2), ("4s", 4)])
  func
    `a daemon whose store hangs ends within its grace period, at least 2 seconds, with its workers`(
      grace: String, seconds: Int
    ) throws
  {
    let program = try Program()
    defer { program.remove() }
    try program.write(
      "tick.lua",
      """
      return {
        api = 1, name = "tick", version = "1",
        fetch = function(ctx) return { { id = ctx.run } } end,
      }
      """)
    let config = try program.write(
      "fetchrun.yaml",
      "store: store.sqlite\nplugins: [.]\njobs: [{name: tick, plugin: tick, interval: 1s}]\n")
    let daemon = try Watched(program, ["serve", "--config", config, "--grace", grace])
    defer { daemon.signal(SIGKILL) }
    daemon.wait(for: .output) { !$0.isEmpty }
    let descriptor = try lock(program.folder.path + "/store.sqlite")
    defer { close(descriptor) }
    let workers = try self.workers(of: daemon.identifier)
    #expect(!workers.isEmpty)
    let probe = DelayProbe()
    let start = ContinuousClock.now
    daemon.signal(SIGTERM)
    #expect(daemon.end() == 143)
    #expect(ContinuousClock.now - start < .seconds(seconds) + probe.slack(atLeast: .zero))
    // The message is lost if its thread does not run within 200 ms.
    #expect(
      daemon.messages.last?.contains("did not stop within the grace period") == true
        || probe.longest > .milliseconds(100))
    // The kernel ends the workers with the process.
    for worker in workers { while kill(worker, 0) == 0, !isZombie(worker) { sched_yield() } }
  }

  private func workers(of process: Int32) throws -> [Int32] {
    let threads = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: threads).flatMap { thread in
      try String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)
        .split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// Whether the process has ended, even if no process has waited for it.
  private func isZombie(_ process: Int32) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status?.contains(") Z ") ?? true
  }
}
