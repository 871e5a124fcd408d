import FetchHost
package import FetchModel
import FetchSchedule
package import FetchValues

/// One call of a hook's function. Each call is a separate run in a worker, with the limits and the
/// grant of the hook.
package struct HookCall: Sendable {
  package var hook: LuaHook
  package var function: HookFunction
  /// The table that the function receives as its argument `run`.
  package var run: ValueObject
  /// The argument after `run`: changes or a failure. Nil if the function has no such argument.
  package var told: Value?
  /// Whether a person forced the delivery: see `DeliveryBatch.isForced`.
  var isForced = false
  /// The items that a call of `on_item` processes; nil for other functions.
  var items: HookItems?

  package init(_ hook: LuaHook, _ function: HookFunction, run: ValueObject, told: Value? = nil) {
    self.hook = hook
    self.function = function
    self.run = run
    self.told = told
  }

  /// Makes the call and returns its result. If the task is cancelled during the call, the call
  /// fails with `cancelled`. A file that does not load or waits for approval is not run.
  package func made(by services: RunServices) async -> HookEnd {
    let answer = await services.grants.answer(for: hook, now: services.time.now())
    if let refusal = answer.refusal { return HookEnd(failure: refusal, isHeld: true) }
    var end = await run(by: services)
    if let note = answer.note { end.logs.insert(note, at: 0) }
    return end
  }

  private func run(by services: RunServices) async -> HookEnd {
    let host = HookHost(self, services)
    await host.learnSecrets()
    let end = await services.workers.run(workerRun(services.time, host), calls: host)
    var result = HookEnd()
    result.usage = end.usage
    result.logs = end.logs.map(host.redactor.redacted)
    result.retryAfter = host.retryAfter
    result.traffic = host.traffic
    result.traffic.cpu = end.usage.cpu
    result.postponedUntil = host.postponedUntil
    switch end.result {
    case .success: result.failure = items?.problem
    case .failure(let failure): result.failure = host.redactor.redacted(failure)
    }
    return result
  }

  private func workerRun(_ time: RunTime, _ host: HookHost) -> WorkerRun {
    var run = WorkerRun(plugin: hook.file.source, seed: time.random())
    run.entry = function.rawValue
    run.limits = limits
    run.extraGrant = ExtraGrant(hook.grant, sources: hook.secretSources, folder: nil)
    run.isPartOfRun = true
    run.waits = host.waits
    run.isolation = hook.isolation == .run ? .perRun : .shared
    run.arguments = arguments(now: time.now())
    return run
  }

  /// The limits of the call. For `on_item`, they allow as many items as the call processes, and the
  /// additional host calls that carry the items.
  private var limits: RunLimits {
    var limits = hook.limits
    guard let items else { return limits }
    limits.items = items.count
    limits.hostCalls += items.count + 1
    return limits
  }

  private func arguments(now: Timestamp) -> ValueObject {
    var arguments = ValueObject([
      ("hook", .string(hook.name.text)), ("options", .object(hook.options)), ("run", .object(run)),
      ("now", .number(Double(now.milliseconds) / 1000)),
    ])
    if let told { arguments.append("told", told) }
    let asked = hook.file.manifest.permissions.secrets
    if !asked.isEmpty {
      let given = asked.map { ($0.name, Value.bool(hook.secretSources[$0.name] != nil)) }
      arguments.append("secrets", .object(ValueObject(given)))
    }
    return arguments
  }
}

/// The result of calling a hook's function.
package struct HookEnd: Sendable {
  /// The failure; nil if the function returned and the worker's answers about the items were valid.
  package var failure: Failure?
  /// Whether the call was refused before it began, for example because the hook's file waits for
  /// approval.
  package var isHeld = false
  package var logs: [LogLine] = []
  /// The latest retry time that a server or the hook requested; nil if there was none.
  package var retryAfter: Timestamp?
  package var usage = RunUsage()
  /// The costs of the call's requests, and the call's CPU time.
  var traffic = HookUsage()
  /// The latest time until which a request of the call was postponed; nil if no request was
  /// postponed.
  var postponedUntil: Timestamp?
}

/// The costs of one or more hook calls, and the cooldowns that servers requested in their answers.
struct HookUsage: Sendable {
  var requestCount = 0
  var receivedBytes = 0
  var cpu = Duration.zero
  var retryAfters: [RetryAfterNote] = []

  var cost: RunCost {
    RunCost(
      requests: Double(requestCount), bytes: Double(receivedBytes),
      cpuMilliseconds: Double(cpu.wholeMicroseconds) / 1000)
  }

  static func += (left: inout HookUsage, right: HookUsage) {
    left.requestCount += right.requestCount
    left.receivedBytes += right.receivedBytes
    left.cpu += right.cpu
    left.retryAfters += right.retryAfters
  }
}

extension HookUsage {
  init(_ session: HTTPSession) {
    requestCount = session.requestCount
    receivedBytes = session.receivedBytes
    retryAfters = session.retryAfters
  }
}
