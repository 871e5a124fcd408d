import FetchModel
import Foundation
import Glibc
import Testing

@testable import FetchHost

/// Tests of the CPU time and the memory that the host allows a worker process.
@Suite struct WorkerAccountTests {
  private static let second: UInt64 = 1_000_000_000

  private static func limits(cpu: Duration, memoryBytes: Int = 64 << 20) -> RunLimits {
    var limits = RunLimits()
    limits.cpu = cpu
    limits.memoryBytes = memoryBytes
    return limits
  }

  @Test func `a worker may use the CPU time of all its runs and some more`() {
    var account = WorkerAccount()
    account.begin(cpu: 10 * Self.second)
    for _ in 0..<4 { account.add(Self.limits(cpu: .seconds(4))) }
    // 2 s for each worker, and 5.25 s for each run.
    #expect(!account.isExceeded(cpu: 33 * Self.second))
    #expect(account.isExceeded(cpu: 33 * Self.second + 1))
    account.begin(cpu: 40 * Self.second)
    #expect(!account.isExceeded(cpu: 42 * Self.second))
    #expect(account.isExceeded(cpu: 42 * Self.second + 1))
  }

  @Test func `bytes that a worker exchanges with the host add CPU time`() {
    var account = WorkerAccount()
    account.add(bytes: 1_000_000_000)
    #expect(!account.isExceeded(cpu: 6 * Self.second))
    #expect(account.isExceeded(cpu: 6 * Self.second + 1))
  }

  @Test func `a worker with nothing to do may use one second`() {
    var account = WorkerAccount()
    account.add(Self.limits(cpu: .seconds(60)))
    account.beginRest(at: 5 * Self.second, cpu: 20 * Self.second)
    #expect(account.restedTime(8 * Self.second) == 3 * Self.second)
    #expect(!account.isExceeded(cpu: 21 * Self.second))
    #expect(account.isExceeded(cpu: 21 * Self.second + 1))
    account.endRest()
    #expect(account.restedTime(9 * Self.second) == 0)
    #expect(!account.isExceeded(cpu: 60 * Self.second))
  }

  @Test func `a worker may have the memory of its runs, also after some have ended`() {
    var account = WorkerAccount()
    let limits = Self.limits(cpu: .seconds(1), memoryBytes: 1 << 30)
    for _ in 0..<3 { account.place(limits) }
    for _ in 0..<2 { account.drop(limits) }
    #expect(!account.isExceeded(memoryBytes: 13 << 30))
    #expect(account.isExceeded(memoryBytes: 13 << 30 + 1))
    account.place(limits)
    #expect(account.isExceeded(memoryBytes: 13 << 30 + 1))
  }

  @Test func `the resident memory of a process is read`() throws {
    let file = ProcessProbe.openMemoryFile(of: getpid())
    defer { close(file) }
    let bytes = try #require(ProcessProbe.residentBytes(file))
    #expect(bytes > 1 << 20)
    #expect(ProcessProbe.residentBytes(ProcessProbe.openMemoryFile(of: -1)) == nil)
  }

  @Test func `the kernel ends a worker before other processes when memory is short`() async throws {
    let pool = try WorkerPool.forTests()
    _ = await pool.run(WorkerRun(plugin: .fetching(""), seed: 1), calls: NoCalls())
    let status = await pool.status()
    let process = try #require(status.first?.process)
    let score = try String(contentsOfFile: "/proc/\(process)/oom_score_adj", encoding: .utf8)
    #expect(score == "1000\n")
    await pool.shutdown()
  }
}
