package import FetchValues

/// Which deliveries follow from a run: pure, so that the same run gives the same rows, whoever
/// stores them and however often.
package struct DeliveryRule: Sendable {
  private let hooks: [HookConfig]
  private let record: RunRecord
  private let now: Timestamp

  /// A delivery has no more items; a run with more makes several.
  package static let itemsMax = 500

  /// - Parameter hooks: those of the config, in its order.
  package init(hooks: [HookConfig], record: RunRecord, now: Timestamp) {
    self.hooks = hooks.filter { $0.scope.includes(job: record.job, plugin: record.plugin) }
    self.record = record
    self.now = now
  }

  /// For a part of a run: its changes as they are stored.
  ///
  /// - Parameters:
  ///   - firstSequence: that of the first change; the others follow without a gap.
  ///   - part: counts the parts of a run that have been stored before, so that no two have the same
  ///     keys.
  ///   - history: nil for a part that is not the end, or where nobody counts failures.
  package func deliveries(
    of changes: [ItemChange], firstSequence: Int64?, part: Int = 0, isEnd: Bool = true,
    history: DeliveryHistory?
  ) -> [NewDelivery] {
    var all: [NewDelivery] = []
    for hook in hooks {
      var numbered = Numbered(rule: self, hook: hook, part: part)
      if isEnd, let history { tell(hook, history, &numbered) }
      tell(hook, changes, firstSequence, &numbered)
      // A run that tells a plugin of a transfer is no look at the source.
      let isLook = record.trigger != .transfer
      if isEnd, isLook, case .noData = record.outcome, hook.events.contains(.noData) {
        numbered.add(.noData, items: [])
      }
      all += numbered.deliveries
    }
    return all
  }

  // MARK: Transitions

  private func tell(_ hook: HookConfig, _ history: DeliveryHistory, _ numbered: inout Numbered) {
    let limit = hook.failuresInRow
    if hook.events.contains(.failed), history.failuresBefore < limit,
      history.failuresAfter >= limit
    {
      numbered.add(.failed, items: [], failures: history.failuresAfter)
    }
    if hook.events.contains(.recovered), history.failuresBefore >= limit,
      history.failuresAfter == 0, record.outcome.failure == nil
    {
      numbered.add(.recovered, items: [], failures: history.failuresBefore)
    }
  }

  // MARK: Items

  private func tell(
    _ hook: HookConfig, _ changes: [ItemChange], _ firstSequence: Int64?,
    _ numbered: inout Numbered
  ) {
    guard let firstSequence, hook.events.contains(where: \.isOfItems) else { return }
    var lines: [String] = []
    for (offset, change) in changes.enumerated() {
      guard let event = HookEvent(change.kind), hook.events.contains(event) else { continue }
      if let filter = hook.filter, !filter.passes(change, job: record.job) { continue }
      let item = StoredItem(
        change, sequence: firstSequence + Int64(offset), job: record.job,
        seenAt: record.startedAt)
      lines.append(item.json)
    }
    let count = hook.batching == .each ? 1 : Self.itemsMax
    for start in stride(from: 0, to: lines.count, by: count) {
      numbered.add(.newData, items: Array(lines[start..<min(start + count, lines.count)]))
    }
  }

  // MARK: Rows

  /// The deliveries of one hook, whose keys count them.
  private struct Numbered {
    let rule: DeliveryRule
    let hook: HookConfig
    let part: Int
    var deliveries: [NewDelivery] = []

    mutating func add(_ event: DeliveryEvent, items: [String], failures: Int? = nil) {
      let record = rule.record
      let key = "\(record.run)_\(hook.name)_\(part)_\(deliveries.count)"
      var line = JSONLine()
      line.member("id", key)
      line.member("hook", hook.name)
      line.member("event", event.rawValue)
      line.member("job", record.job)
      line.member("at", rule.now.description)
      line.member("run", literal: record.json)
      if let failures { line.member("failures", failures) }
      line.member("items", literal: "[" + items.joined(separator: ",") + "]")
      deliveries.append(
        NewDelivery(
          hook: hook.name, job: record.job, run: record.run, event: event,
          payload: line.closed(), key: key, notBefore: hook.notBefore(rule.now),
          createdAt: rule.now))
    }
  }
}

extension HookConfig {
  /// When what happens now is sent; nil: at once. The windows of digests begin at whole multiples of
  /// their length since 1970, so that those of one hook fall together.
  package func notBefore(_ now: Timestamp) -> Timestamp? {
    guard case .digest(let length) = batching, length > .zero else { return nil }
    let window = max(1, length.wholeMilliseconds)
    return Timestamp(
      milliseconds: (now.milliseconds.floorDivided(by: window) &+ 1) &* window)
  }
}
