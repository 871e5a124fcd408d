import FetchHost
package import FetchModel
import FetchValues

/// Delivers to a hook file: each delivery is a call of the function that is for it.
///
/// What it has no function for is delivered by nobody hearing of it. Of a digest, news that follow
/// each other are one call, or several where they are many. Where one of several calls fails, those
/// before it are not made again: the others, made another time, are the same calls with the same keys.
package struct LuaSink: DeliverySink {
  private let hook: LuaHook
  private let services: RunServices
  private let events: EventSink

  /// - Parameter events: gets the lines that the hook logs.
  package init(
    _ hook: LuaHook, services: RunServices, events: EventSink = .none
  ) {
    self.hook = hook
    self.services = services
    self.events = events
  }

  package func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
    let invocations = HookInvocation.all(of: batch)
    // Once for all of them: one that has begun would begin anew, and spend the same again.
    if invocations.contains(where: { hook.has($0.function) }), !batch.isForced,
      let until = budgetOpening
    {
      return .postponed("the budget is spent", until: until)
    }
    var toldCount = 0
    for invocation in invocations {
      defer { toldCount += invocation.deliveryCount }
      guard hook.has(invocation.function) else { continue }
      var call = HookCall(hook, invocation.function, run: invocation.run, told: invocation.told)
      call.isForced = batch.isForced
      let end = await call.made(by: services)
      charge(end.traffic, invocation)
      for line in end.logs { events.emit(.hookLogged(hook: hook.name, line)) }
      if let failure = end.failure { return self.end(end, failure).after(toldCount: toldCount) }
    }
    return .delivered
  }

  /// CPU time is paid by the job that is told of, too: its news are what makes the work.
  private func charge(_ traffic: HookUsage, _ invocation: HookInvocation) {
    let job = invocation.run["job"]?.stringValue ?? ""
    services.settings.budget?.charge(traffic.cost, cpuOf: job, now: services.time.now())
  }

  /// Nil: now. A hook that can ask nobody waits for nothing.
  private var budgetOpening: Timestamp? {
    hook.grant.hosts.isEmpty ? nil : services.settings.budget?.opening(now: services.time.now())
  }

  private func end(_ end: HookEnd, _ failure: Failure) -> DeliveryEnd {
    let message = Self.message(failure)
    if end.isHeld {
      return .held(message, lookAgainAt: services.time.now() + Self.heldWait)
    }
    return end.postponedUntil.map { .postponed(message, until: $0) }
      ?? .failed(DeliveryFailure(message, retryAt: end.retryAfter))
  }

  /// A hook whose file waits for its user's word is looked at again after so long, and when that
  /// comes.
  private static let heldWait: Duration = .seconds(3600)

  private static func message(_ failure: Failure) -> String {
    guard let file = failure.file else { return failure.message }
    return "\(file):\(failure.line.map { "\($0):" } ?? "") \(failure.message)"
  }
}

extension LuaSink {
  /// One call that a batch comes to.
  struct HookInvocation: Equatable {
    var function: HookFunction
    var run: ValueObject
    var told: Value?
    /// How many deliveries of the batch it is of: those after the ones of the calls before it.
    var deliveryCount = 1

    /// Of a digest, news that are told together have no more JSON than this: a call's state, which holds
    /// 64 MiB unless the config says otherwise, has room for them and for what the hook makes of them.
    static let bytesMax = 8 << 20

    static func all(of batch: DeliveryBatch) -> [HookInvocation] {
      var all: [HookInvocation] = []
      // What the last invocation has, where it is of news.
      var told: (itemCount: Int, byteCount: Int)?
      for (delivery, payload) in zip(batch.deliveries, batch.payloads) {
        let items = (payload["items"]?.arrayValue ?? []).compactMap(\.objectValue)
        let changes = items.map { Value.object(HookTable.change($0)) }
        let byteCount = delivery.payload.utf8.count
        if delivery.event == .newData, let before = told,
          before.itemCount + items.count <= DeliveryRule.itemsMax,
          before.byteCount + byteCount <= bytesMax
        {
          all[all.count - 1].add(changes)
          told = (before.itemCount + items.count, before.byteCount + byteCount)
          continue
        }
        told = delivery.event == .newData ? (items.count, byteCount) : nil
        var run = HookTable.run(told: payload)
        run["hook"] = .string(delivery.hook)
        run["delivery"] = .string(delivery.key)
        run["job"] = .string(delivery.job)
        all.append(HookInvocation(delivery.event, run, changes, payload))
      }
      return all
    }

    private init(
      _ event: DeliveryEvent, _ run: ValueObject, _ changes: [Value], _ payload: ValueObject
    ) {
      self.run = run
      switch event {
      case .newData: (function, told) = (.onNewData, .array(changes))
      case .noData: function = .onNoData
      case .recovered: function = .onRecovered
      case .failed: (function, told) = (.onFailed, run["failure"] ?? .object(ValueObject()))
      case .stale:
        function = .onFailed
        told = .object(HookTable.staleness(payload["stale"]))
      }
    }

    private mutating func add(_ changes: [Value]) {
      told = .array((told?.arrayValue ?? []) + changes)
      deliveryCount += 1
    }
  }
}
