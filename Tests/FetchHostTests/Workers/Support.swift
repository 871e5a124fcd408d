import FetchHost
import FetchModel
import FetchValues
import Synchronization
import Testing

extension PluginSource {
  /// Returns a plugin whose function `fetch` has the given body.
  static func fetching(_ body: String, libraries: [String: String] = [:]) -> PluginSource {
    .text("return { fetch = function(ctx)\n\(body)\nend }", libraries: libraries)
  }

  static func text(_ text: String, libraries: [String: String] = [:]) -> PluginSource {
    PluginSource(
      name: "probe", fileName: "probe.lua", text: Array(text.utf8),
      libraries: libraries.sorted { $0.key < $1.key }.map {
        PluginSource.Library(
          name: $0.key, fileName: "lib/\($0.key).lua", text: Array($0.value.utf8))
      })
  }
}

extension WorkerPool {
  static func forTests(
    _ change: (inout WorkerPoolConfiguration) -> Void = { _ in }
  ) throws -> WorkerPool {
    let executable = try #require(WorkerExecutable.locate(), "build fetchrun-worker first")
    var configuration = WorkerPoolConfiguration(executable: executable)
    change(&configuration)
    return WorkerPool(configuration: configuration)
  }

  /// Runs a plugin once in a pool of its own.
  static func once(
    _ plugin: PluginSource, limits: RunLimits = RunLimits(), arguments: ValueObject = ValueObject(),
    calls: any HostCallHandler = NoCalls()
  ) async throws -> WorkerRunEnd {
    let pool = try forTests()
    var run = WorkerRun(plugin: plugin, seed: 1)
    run.limits = limits
    run.arguments = arguments
    let end = await pool.run(run, calls: calls)
    await pool.shutdown()
    return end
  }
}

/// A handler for runs that must not call the host. A call raises a Lua error.
struct NoCalls: HostCallHandler {
  func answer(_ call: HostCall) async -> HostCallAnswer { .raises("no call was expected") }
}

/// A handler that answers calls by a closure and records them.
final class RecordedCalls: HostCallHandler {
  private let seen = Mutex<[HostCall]>([])
  private let reply: @Sendable (HostCall) async -> HostCallAnswer

  init(_ reply: @escaping @Sendable (HostCall) async -> HostCallAnswer) { self.reply = reply }

  var calls: [HostCall] { seen.withLock { $0 } }

  func answer(_ call: HostCall) async -> HostCallAnswer {
    seen.withLock { $0.append(call) }
    return await reply(call)
  }
}

extension WorkerRunEnd {
  var failure: Failure? { if case .failure(let failure) = result { failure } else { nil } }
  var products: WorkerProducts? { try? result.get() }
}

/// A gate for which tasks wait, and which any task opens once.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}
