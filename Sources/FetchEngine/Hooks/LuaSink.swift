import FetchHost
package import FetchModel
import FetchValues

/// A sink that delivers to a hook file: it calls the function for the event of a delivery.
///
/// Events without a matching function count as delivered. In a digest, consecutive deliveries of
/// news share one call, or several calls if there is much news. If one of several calls fails, the
/// successful calls are not repeated.
package struct LuaSink: DeliverySink {
  private let hook: LuaHook
  private let services: RunServices
  private let events: EventSink

  /// - Parameter events: receives the lines that the hook logs.
  package init(
    _ hook: LuaHook, services: RunServices, events: EventSink = .none
  ) {
    self.hook = hook
    self.services = services
    self.events = events
  }

  package func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
    let invocations = HookInvocation.all(of: batch)
    // The budget is checked once for all calls, so that a lack of budget does not stop the batch
    // between two calls.
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

  /// Charges the costs of a call to the budget of all jobs. Also charges the CPU time to the budget
  /// of the job whose event caused the call. If a call covers the news of several jobs, the CPU
  /// time is charged to the job of the first delivery.
  private func charge(_ traffic: HookUsage, _ invocation: HookInvocation) {
    let job = JobName(invocation.run["job"]?.stringValue ?? "")
    services.settings.budget?.charge(traffic.cost, cpuOf: job, now: services.time.now())
  }

  /// The time from which the budget allows a call; nil if the call need not wait. The budget does
  /// not delay a hook that may make no requests.
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

  /// The time to wait before the next attempt to deliver to a hook file that may not run now.
  private static let heldWait: Duration = .seconds(3600)

  private static func message(_ failure: Failure) -> String {
    guard let file = failure.file else { return failure.message }
    return "\(file):\(failure.line.map { "\($0):" } ?? "") \(failure.message)"
  }
}

extension LuaSink {
  /// One of the calls that deliver a batch.
  struct HookInvocation: Equatable {
    var function: HookFunction
    var run: ValueObject
    var told: Value?
    /// The number of deliveries that this call covers.
    var deliveryCount = 1

    /// The maximum size of the news of several deliveries in one call, in bytes of JSON. A larger
    /// delivery has a call of its own. The default memory limit of a call is 64 MiB.
    static let bytesMax = 8 << 20

    static func all(of batch: DeliveryBatch) -> [HookInvocation] {
      var all: [HookInvocation] = []
      // The number of items and the number of bytes in the last invocation. Nil if there is no
      // invocation yet, or if the last one does not deliver news.
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
        run["hook"] = .string(delivery.hook.text)
        run["delivery"] = .string(delivery.key)
        run["job"] = .string(delivery.job.text)
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
