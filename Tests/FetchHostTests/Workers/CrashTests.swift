import FetchHost
import FetchModel
import FetchValues
import Glibc
import Synchronization
import Testing

struct CrashTests {
  /// A plugin that calls the host twice and returns the second answer.
  private static let asker = PluginSource.text(
    """
    local http = require "http"
    return { fetch = function(ctx)
      local first = http.post("http://a.test/first", {body = ctx.options.name})
      local second = http.post("http://a.test/second", {body = first.body})
      return { {id = second.body} }
    end }
    """)

  private static func answer(_ call: HostCall) -> HostCallAnswer {
    let body = (try? call.values().first?["body"]?.stringValue) ?? "?"
    return .values([["status": 200, "url": "u", "headers": [:], "body": .string(body + "+")]])
  }

  @Test(arguments: [SIGSEGV, SIGKILL, SIGSTOP])
  func `when a worker dies, each of its runs gives its result and each effect happens once`(
    signal: Int32
  ) async throws {
    let runCount = 100
    let pool = try WorkerPool.forTests { $0.busyWorkersMax = 2 }
    let arrived = Countdown(runCount)
    let gate = Gate()
    let calls = RecordedCalls { call in
      let answer = Self.answer(call)
      if (try? call.values().first?["url"]?.stringValue) == "http://a.test/second" {
        arrived.countDown()
        await gate.wait()
      }
      return answer
    }
    let ends = await withTaskGroup { group in
      for number in 0..<runCount {
        group.addTask {
          var run = WorkerRun(plugin: Self.asker, seed: 7)
          run.arguments = ValueObject([("options", ["name": .string("\(number)")])])
          return (number, await pool.run(run, calls: calls))
        }
      }
      await arrived.wait()
      for worker in await pool.status() { kill(worker.process, signal) }
      gate.open()
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for (number, end) in ends {
      #expect(end.products?.items.first?.id == "\(number)++", "\(String(describing: end.failure))")
    }
    #expect(calls.calls.count == 2 * runCount)
    await pool.shutdown()
  }

  @Test func `a run during which the worker dies twice fails, and other runs are not affected`()
    async throws
  {
    let pool = try WorkerPool.forTests()
    let calls = RecordedCalls { call in
      let url = (try? call.values().first?["url"]?.stringValue) ?? ""
      if url == "http://a.test/die" {
        for worker in await pool.status() where worker.plugin == "probe" {
          kill(worker.process, SIGSEGV)
        }
        // The answer follows the signal. The host therefore usually notices the crash while this
        // run executes, and counts the crash as caused by this run.
      }
      return Self.answer(call)
    }
    let culprit = PluginSource.text(
      """
      local http = require "http"
      return { fetch = function(ctx)
        for i = 1, 9 do http.get("http://a.test/die", {query = nil, headers = {n = i}}) end
      end }
      """)
    async let bad = pool.run(WorkerRun(plugin: culprit, seed: 1), calls: calls)
    let end = await bad
    #expect(end.failure?.code == .workerCrashed)
    let next = await pool.run(
      WorkerRun(plugin: .fetching("return {{id = 'ok'}}"), seed: 1), calls: NoCalls())
    #expect(next.products?.items.first?.id == "ok")
    await pool.shutdown()
  }

  @Test func `a run that exceeds its window ends immediately with that limit's code`() async throws
  {
    var limits = RunLimits()
    limits.window = .milliseconds(300)
    let gate = Gate()
    let calls = RecordedCalls { call in
      await gate.wait()
      return Self.answer(call)
    }
    let end = try await WorkerPool.once(
      .fetching("require('http').get('http://a.test/')"), limits: limits, calls: calls)
    gate.open()
    #expect(end.failure?.code == .timeLimit)
    #expect(
      end.failure?.message
        == "the run took longer than its window of 300 ms (limit window); "
        + "make the Lua code do less or raise the limit")
  }

  @Test func `a cancelled task cancels its run`() async throws {
    let pool = try WorkerPool.forTests()
    let started = Gate()
    let calls = RecordedCalls { call in
      started.open()
      await Gate().wait(orCancelled: ())
      return Self.answer(call)
    }
    let task = Task {
      await pool.run(
        WorkerRun(plugin: .fetching("require('http').get('http://a.test/')"), seed: 1),
        calls: calls)
    }
    await started.wait()
    task.cancel()
    #expect(await task.value.failure?.code == .cancelled)
    let busy = Task {
      await pool.run(WorkerRun(plugin: .fetching("while true do end"), seed: 1), calls: NoCalls())
    }
    busy.cancel()
    #expect(await busy.value.failure?.code == .cancelled)
    await pool.shutdown()
  }

  @Test func `a worker program that cannot be started is a clear failure`() async {
    let pool = WorkerPool(configuration: WorkerPoolConfiguration(executable: "/nowhere/worker"))
    let end = await pool.run(WorkerRun(plugin: .fetching(""), seed: 1), calls: NoCalls())
    #expect(end.failure?.code == .workerUnavailable)
    #expect(
      end.failure?.message
        == "the worker process /nowhere/worker cannot be started: No such file or directory")
    await pool.shutdown()
  }

  @Test func `a worker program that ends immediately is a clear failure`() async {
    let pool = WorkerPool(configuration: WorkerPoolConfiguration(executable: "/bin/true"))
    let end = await pool.run(WorkerRun(plugin: .fetching(""), seed: 1), calls: NoCalls())
    #expect(end.failure?.code == .workerUnavailable)
    let manifest = await pool.inspect(.fetching(""))
    #expect(throws: Failure.self) { try manifest.get() }
    await pool.shutdown()
  }

  @Test func `after shutdown runs end as cancelled and no process is left`() async throws {
    let pool = try WorkerPool.forTests()
    let started = Gate()
    let calls = RecordedCalls { call in
      started.open()
      await Gate().wait(orCancelled: ())
      return Self.answer(call)
    }
    let task = Task {
      await pool.run(
        WorkerRun(plugin: .fetching("require('http').get('http://a.test/')"), seed: 1),
        calls: calls)
    }
    await started.wait()
    let processes = await pool.status().map(\.process)
    #expect(processes.count == 1)
    await pool.shutdown()
    #expect(await task.value.failure?.code == .cancelled)
    for process in processes { #expect(kill(process, 0) == -1) }
    let late = await pool.run(WorkerRun(plugin: .fetching(""), seed: 1), calls: NoCalls())
    #expect(late.failure?.code == .cancelled)
  }
}

/// A gate that opens when its count reaches zero.
final class Countdown: Sendable {
  private let left: Mutex<Int>
  private let gate = Gate()

  init(_ count: Int) { left = Mutex(count) }

  func countDown() {
    let isDone = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isDone { gate.open() }
  }

  func wait() async { await gate.wait() }
}

extension Gate {
  /// Waits until the gate opens or the task is cancelled.
  func wait(orCancelled: Void) async {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      open()
    }
  }
}
