import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// The hook files that have a word in one run of a job: `before_run`, and `on_item` for what the
/// plugin gives. Whatever goes wrong in one is told in the run's log and costs the run nothing.
final class RunHooks: Sendable {
  fileprivate struct State {
    var logs: [LogLine] = []
    var hasKept = false
    var heldCount = 0
    var traffic = HookUsage()
  }

  private let services: RunServices
  private let hooks: [LuaHook]
  private let run: ValueObject
  private let itemLimits: RunLimits
  private let state: Mutex<State>

  /// Nil where no hook of the job has such a function.
  init?(_ services: RunServices, _ job: Job, _ record: RunRecord) async {
    let hooks = job.hooks.filter { $0.has(.beforeRun) || $0.has(.onItem) }
    if hooks.isEmpty { return nil }
    let last = try? await services.store.runs(job: job.name, limit: 1).first
    var state = State()
    for hook in hooks where hook.has(.onItem) {
      let answer = await services.grants.answer(for: hook, now: record.startedAt)
      if let note = answer.note { state.tell(hook, [note]) }
      if answer.refusal != nil { state.heldCount += 1 }
    }
    self.services = services
    self.hooks = hooks
    itemLimits = job.limits
    run = HookTable.run(record, options: job.options, last: last)
    self.state = Mutex(state)
  }

  /// Of a job with these hooks: what is read without one that waits for its user's word is to be read
  /// again with it.
  func reading(_ reading: [UInt8]) -> [UInt8] {
    let heldCount = state.withLock { $0.heldCount }
    return heldCount == 0 ? reading : reading + [UInt8(truncatingIfNeeded: heldCount)]
  }

  /// What a run comes to that is cancelled while its items are with a hook: as they are, they may be
  /// news that the hook would have dropped.
  static let cancelled = Failure(
    .cancelled, "the run was cancelled while a hook looked at its items")

  var logs: [LogLine] { state.withLock { $0.logs } }

  /// Whether an item stayed as it was because a hook failed.
  var hasKept: Bool { state.withLock { $0.hasKept } }

  /// Of all their requests so far.
  var traffic: HookUsage { state.withLock { $0.traffic } }

  func beforeRun() async {
    for hook in hooks where hook.has(.beforeRun) {
      let call = HookCall(hook, .beforeRun, run: run)
      let end = await call.made(by: services)
      state.withLock { $0.traffic += end.traffic }
      tell(hook, end.logs)
      if let failure = end.failure {
        tell(hook, [Self.line(.beforeRun, failure, "the run goes on")])
      }
    }
  }

  /// Puts what the hooks make of them in the place of the items. False when the run was cancelled in
  /// the middle; then nothing is to be stored.
  func apply(to products: inout WorkerProducts) async -> Bool {
    for hook in hooks where hook.has(.onItem) {
      if products.items.isEmpty { return true }
      var call = HookCall(hook, .onItem, run: run)
      // As large as the plugin may make them, and as deep.
      call.hook.limits.resultBytes = max(hook.limits.resultBytes, itemLimits.resultBytes)
      call.hook.limits.nesting = max(hook.limits.nesting, itemLimits.nesting)
      let items = HookItems(products.items, limits: itemLimits)
      call.items = items
      let end = await call.made(by: services)
      state.withLock { $0.traffic += end.traffic }
      if end.failure?.code == .cancelled { return false }
      tell(hook, end.logs + items.notes.map { LogLine(.warning, "on_item: \($0)") })
      if let failure = end.failure {
        tell(hook, [Self.line(.onItem, failure, "the items it had not done are as they were")])
      }
      if items.hasKept { state.withLock { $0.hasKept = true } }
      products.items = items.items
    }
    return true
  }

  private func tell(_ hook: LuaHook, _ lines: [LogLine]) {
    if !lines.isEmpty { state.withLock { $0.tell(hook, lines) } }
  }

  private static func line(
    _ function: HookFunction, _ failure: Failure, _ consequence: String
  ) -> LogLine {
    let place = failure.file.map { file in "\(file):\(failure.line.map { "\($0):" } ?? "") " } ?? ""
    return LogLine(
      .warning,
      "\(function.rawValue) failed (\(failure.code.rawValue)), \(consequence): \(place)"
        + failure.message)
  }
}

extension RunHooks.State {
  fileprivate mutating func tell(_ hook: LuaHook, _ lines: [LogLine]) {
    logs += lines.map { LogLine($0.level, "hook \(hook.name): \($0.message)") }
  }
}
