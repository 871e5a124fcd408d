import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// The hook files that take part in one run of a job. The run calls their function `before_run`,
/// and their function `on_item` for the plugin's items. The failure of a hook is written to the
/// run's log and does not fail the run.
final class RunHooks: Sendable {
  fileprivate struct State {
    var logs: [LogLine] = []
    var hasKept = false
    /// One byte for each hook with `on_item`, in order: 1 if the hook may not run, otherwise 0.
    var held: [UInt8] = []
    var traffic = HookUsage()
  }

  private let services: RunServices
  private let hooks: [LuaHook]
  private let run: ValueObject
  private let itemLimits: RunLimits
  private let state: Mutex<State>

  /// Finds the hooks that take part in a run of the job. Returns nil if there are none.
  init?(_ services: RunServices, _ job: Job, _ record: RunRecord) async {
    let hooks = job.hooks.filter { $0.has(.beforeRun) || $0.has(.onItem) }
    if hooks.isEmpty { return nil }
    let last = try? await services.store.runs(job: job.name, limit: 1).first
    var state = State()
    for hook in hooks where hook.has(.onItem) {
      let answer = await services.grants.answer(for: hook, now: record.startedAt)
      if let note = answer.note { state.tell(hook, [note]) }
      state.held.append(answer.refusal == nil ? 0 : 1)
    }
    self.services = services
    self.hooks = hooks
    itemLimits = job.limits
    run = HookTable.run(record, options: job.options, last: last)
    self.state = Mutex(state)
  }

  /// Returns the given hash (`Job.reading`). If hooks with `on_item` may not run, appends which of
  /// the hooks these are. If other hooks may run, the next run thus reads an unchanged body again.
  func reading(_ reading: [UInt8]) -> [UInt8] {
    let held = state.withLock { $0.held }
    return held.contains(1) ? reading + held : reading
  }

  /// The failure of a run that was cancelled while a hook processed the run's items. Items are not
  /// stored before all hooks have processed them, since a hook might drop items.
  static let cancelled = Failure(
    .cancelled, "the run was cancelled while a hook processed the run's items")

  var logs: [LogLine] { state.withLock { $0.logs } }

  /// Whether any item stayed unchanged because a hook failed or was not called.
  var hasKept: Bool { state.withLock { $0.hasKept } }

  /// The total costs of all hook calls that have ended.
  var traffic: HookUsage { state.withLock { $0.traffic } }

  func beforeRun() async {
    for hook in hooks where hook.has(.beforeRun) {
      let call = HookCall(hook, .beforeRun, run: run)
      let end = await call.made(by: services)
      state.withLock { $0.traffic += end.traffic }
      tell(hook, end.logs)
      if let failure = end.failure {
        tell(hook, [Self.line(.beforeRun, failure, "the run continues")])
      }
    }
  }

  /// Replaces the items with the results of the hooks. Returns false if the call of a hook was
  /// cancelled. In this case, the caller must not store the items.
  func apply(to products: inout WorkerProducts) async -> Bool {
    for hook in hooks where hook.has(.onItem) {
      if products.items.isEmpty { return true }
      var call = HookCall(hook, .onItem, run: run)
      // The items that the hook returns may be as large and as deeply nested as the plugin's items.
      call.hook.limits.resultBytes = max(hook.limits.resultBytes, itemLimits.resultBytes)
      call.hook.limits.nesting = max(hook.limits.nesting, itemLimits.nesting)
      let items = HookItems(products.items, limits: itemLimits)
      call.items = items
      let end = await call.made(by: services)
      state.withLock { $0.traffic += end.traffic }
      if end.failure?.code == .cancelled { return false }
      tell(hook, end.logs + items.notes.map { LogLine(.warning, "on_item: \($0)") })
      if let failure = end.failure {
        tell(hook, [Self.line(.onItem, failure, "the remaining items stay unchanged")])
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

/// The items of one call of `on_item`, and the results of the call.
///
/// The items are sent in batches, so that the worker need not hold all items at once. Items for
/// which the worker returned no result stay unchanged.
final class HookItems: Sendable {
  fileprivate struct State {
    var before: [ParsedItem]
    /// The results for all items before the batch that the worker has.
    var after: [ParsedItem] = []
    /// The range of the items that the worker has.
    var given = 0..<0
    var notes: [String] = []
    var noteCount = 0
    var keptCount = 0
    var problem: Failure?
  }

  static let batchCountMax = 200
  static let batchBytesMax = 256 << 10
  /// The maximum number of failed items that are logged individually.
  static let notesMax = 3

  let count: Int
  private let limits: RunLimits
  private let state: Mutex<State>

  init(_ items: [ParsedItem], limits: RunLimits) {
    count = items.count
    self.limits = limits
    state = Mutex(State(before: items))
  }

  /// The items in order, with the worker's changes and without the dropped items.
  var items: [ParsedItem] {
    state.withLock { state in state.after + state.before[state.given.lowerBound...] }
  }

  /// Whether any item is unchanged because the hook failed for the item or did not process it.
  var hasKept: Bool { state.withLock { $0.keptCount > 0 || $0.given.lowerBound < count } }

  /// The failure that describes an invalid answer of the worker; nil if there was none. No part of
  /// an invalid answer was used.
  var problem: Failure? { state.withLock { $0.problem } }

  /// The messages about the problems of single items.
  var notes: [String] {
    state.withLock { state in
      let more = state.noteCount - state.notes.count
      return state.notes + (more > 0 ? ["\(counted(more, "more item")) failed"] : [])
    }
  }

  /// Stores the results for the previous batch, and returns the next batch, which is empty at the
  /// end. If the results are invalid, sets `problem` and raises an error in Lua.
  func answer(_ call: HostCall, redactor: Redactor) -> HostCallAnswer {
    state.withLock { state in
      do throws(ValueError) {
        let verdicts = try ItemVerdict.read(
          call.items, count: state.given.count, number: state.given.lowerBound + 1, limits)
        for (item, verdict) in zip(state.before[state.given], verdicts) {
          state.settle(item, verdict, redactor)
        }
        state.given = state.given.upperBound..<state.given.upperBound
        return .returns(state.nextBatch())
      } catch {
        let failure = Failure(
          .workerCrashed, "the worker process sent invalid data: \(error)")
        state.problem = failure
        return .raises(failure.message)
      }
    }
  }
}

extension HookItems.State {
  fileprivate mutating func settle(
    _ item: ParsedItem, _ verdict: ItemVerdict, _ redactor: Redactor
  ) {
    switch verdict {
    case .dropped: break
    case .changed(let changed): after.append(redactor.redacted(changed))
    case .kept: keep(item)
    case .refused(let message):
      noteCount += 1
      if notes.count < HookItems.notesMax { notes.append(redactor.redacted(message)) }
      keep(item)
    }
  }

  private mutating func keep(_ item: ParsedItem) {
    keptCount += 1
    after.append(item)
  }

  /// Returns the next batch, encoded as a list whose only element is the list of items.
  fileprivate mutating func nextBatch() -> [UInt8] {
    let first = given.upperBound
    var end = first
    var writer = ValueWriter(reserving: 16 << 10)
    writer.beginArray(count: 1)
    let list = writer.beginArray()
    while end < before.count, end - first < HookItems.batchCountMax,
      writer.bytes.count < HookItems.batchBytesMax
    {
      before[end].encode(&writer)
      end += 1
    }
    writer.endArray(list, count: end - first)
    given = first..<end
    return writer.bytes
  }
}
