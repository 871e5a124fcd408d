import FetchHost
import FetchModel
import FetchValues
import Synchronization
import Testing

/// Tests of runs that wait for a free process while later runs find a place in a shared process.
@Suite(.timeLimit(.minutes(5))) struct PassingTests {
  /// The host of a run that makes one call. The answer waits until the test opens the gate.
  private struct Asked: HostCallHandler {
    var name: String
    var log: Log
    var gate: Gate?

    func answer(_ call: HostCall) async -> HostCallAnswer {
      log.names.withLock { $0.append(name) }
      await gate?.wait()
      return .raises("no")
    }
  }

  private final class Log: Sendable {
    let names = Mutex<[String]>([])
  }

  private let log = Log()

  /// Starts a run and returns when the pool has queued the run. Runs whose names begin with the
  /// same letter may share a process.
  private func begin(
    _ name: String, in pool: WorkerPool, until gate: Gate? = nil
  ) -> Task<WorkerRunEnd, Never> {
    var run = WorkerRun(
      plugin: .fetching("pcall(require('http').get, 'http://a.test/') return {{id = 'a'}}"), seed: 1
    )
    var grant = Grant()
    grant.readPaths = ["/\(name.prefix(1))"]
    run.extraGrant = ExtraGrant(grant, sources: [:], folder: nil)
    let asked = Asked(name: name, log: log, gate: gate)
    return Task.immediate { [run] in await pool.run(run, calls: asked) }
  }

  /// Waits until `count` runs have called the host.
  private func wait(for count: Int) async {
    while log.names.withLock(\.count) < count { await Task.yield() }
  }

  @Test func `a waiting run is overtaken, and gets the next process whose runs have ended`()
    async throws
  {
    let pool = try WorkerPool.forTests {
      $0.workersMax = 2
      $0.busyWorkersMax = 8
    }
    let gates = [Gate(), Gate()]
    let a1 = begin("a1", in: pool, until: gates[0])
    await wait(for: 1)
    let b1 = begin("b1", in: pool, until: gates[1])
    await wait(for: 2)
    let c = begin("c", in: pool)
    #expect(await begin("b2", in: pool).value.products?.items.count == 1)
    // Process a is reserved for c, so a run that would keep the process busy must also wait.
    let a2 = begin("a2", in: pool)
    #expect(await begin("b3", in: pool).value.products?.items.count == 1)
    gates[0].open()
    for run in [a1, c, a2] { #expect(await run.value.products?.items.count == 1) }
    #expect(log.names.withLock { $0 } == ["a1", "b1", "b2", "b3", "c", "a2"])
    gates[1].open()
    #expect(await b1.value.products?.items.count == 1)
    // No process is reserved any more.
    #expect(await begin("b4", in: pool).value.products?.items.count == 1)
    await pool.shutdown()
  }

  @Test func `a queue of waiting runs does not stop all processes from taking other runs`()
    async throws
  {
    let pool = try WorkerPool.forTests {
      $0.workersMax = 4
      $0.busyWorkersMax = 8
    }
    let gate = Gate()
    var held: [Task<WorkerRunEnd, Never>] = []
    for (index, name) in ["a1", "b1", "d1", "e1"].enumerated() {
      held.append(begin(name, in: pool, until: gate))
      await wait(for: index + 1)
    }
    let waiting = (1...9).map { begin("\($0)", in: pool) }
    // Two of the four processes take more runs: the last ones, because each process has one run.
    for name in ["d2", "e2", "d3"] {
      #expect(await begin(name, in: pool).value.products?.items.count == 1)
    }
    gate.open()
    for run in held + waiting { #expect(await run.value.products?.items.count == 1) }
    await pool.shutdown()
  }
}
