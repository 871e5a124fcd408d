package import FetchValues

/// The rule that makes the deliveries of a run. The key of a delivery consists of the run, the
/// hook, the part of the run and an index.
package struct DeliveryRule: Sendable {
  private let hooks: [HookConfig]
  private let record: RunRecord
  private let now: Timestamp

  /// The maximum number of items in a delivery. A run with more items makes several deliveries.
  package static let itemsMax = 500

  /// Creates the rule for the deliveries of one run.
  ///
  /// - Parameter hooks: the config's hooks, in order.
  package init(hooks: [HookConfig], record: RunRecord, now: Timestamp) {
    self.hooks = hooks.filter { $0.scope.includes(job: record.job, plugin: record.plugin) }
    self.record = record
    self.now = now
  }

  /// Returns the deliveries for a part of a run. `changes` are the changes that the store records
  /// for the part.
  ///
  /// - Parameters:
  ///   - part: the number of parts that the run has stored before. It makes the deliveries' keys
  ///     unique.
  ///   - history: the numbers of consecutive failed runs; nil for a part before the run's end, or
  ///     if failures are not counted.
  package func deliveries(
    of changes: [ItemChange], part: Int = 0, isEnd: Bool = true,
    history: DeliveryHistory?
  ) -> [NewDelivery] {
    var all: [NewDelivery] = []
    for hook in hooks {
      var numbered = Numbered(rule: self, hook: hook, part: part)
      if isEnd, let history { tell(hook, history, &numbered) }
      tell(hook, changes, &numbered)
      // A run about a finished transfer does not check the source.
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
    _ hook: HookConfig, _ changes: [ItemChange], _ numbered: inout Numbered
  ) {
    guard hook.events.contains(where: \.isOfItems) else { return }
    var lines: [ItemLine] = []
    for (offset, change) in changes.enumerated() {
      guard let event = HookEvent(change.kind), hook.events.contains(event) else { continue }
      if let filter = hook.filter, !filter.passes(change, job: record.job) { continue }
      let item = StoredItem(change, sequence: 0, job: record.job, seenAt: record.startedAt)
      let (before, after) = item.jsonAroundSequence
      lines.append(ItemLine(before: before, offset: offset, after: after))
    }
    let count = hook.batching == .each ? 1 : Self.itemsMax
    for start in stride(from: 0, to: lines.count, by: count) {
      numbered.add(.newData, items: Array(lines[start..<min(start + count, lines.count)]))
    }
  }

  /// The JSON line of an item, split where the sequence number goes. `offset` is the index of the
  /// item's change.
  private struct ItemLine {
    var before: String
    var offset: Int
    var after: String
  }

  // MARK: Rows

  /// The deliveries of one hook for a part of a run. The key of each delivery includes the
  /// delivery's index.
  private struct Numbered {
    let rule: DeliveryRule
    let hook: HookConfig
    let part: Int
    var deliveries: [NewDelivery] = []

    mutating func add(_ event: DeliveryEvent, items: [ItemLine], failures: Int? = nil) {
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
      line.member("items", literal: "[")
      var payload = DeliveryPayload(line.open())
      for (number, item) in items.enumerated() {
        payload.append(number == 0 ? item.before : "," + item.before)
        payload.appendSequence(ofChange: item.offset)
        payload.append(item.after)
      }
      payload.append("]}")
      deliveries.append(
        NewDelivery(
          hook: hook.name, job: record.job, run: record.run, event: event,
          payload: payload, key: key, notBefore: hook.notBefore(rule.now),
          createdAt: rule.now))
    }
  }
}

extension HookConfig {
  /// Returns the earliest time for sending a new event; nil if the hook sends it immediately.
  /// Digest periods begin at multiples of their length since 1970, so that all jobs of a hook have
  /// the same periods.
  package func notBefore(_ now: Timestamp) -> Timestamp? {
    guard case .digest(let length) = batching, length > .zero else { return nil }
    let window = max(1, length.wholeMilliseconds)
    return Timestamp(
      milliseconds: (now.milliseconds.floorDivided(by: window) &+ 1) &* window)
  }
}

/// A delivery that is not stored yet. The deliveries of a run are stored together with the run.
package struct NewDelivery: Equatable, Sendable {
  package var hook: HookName
  package var job: JobName
  package var run: RunID?
  package var event: DeliveryEvent
  package var payload: DeliveryPayload
  package var key: String
  /// The earliest time at which the delivery may be sent; nil for immediately.
  package var notBefore: Timestamp?
  package var createdAt: Timestamp

  package init(
    hook: HookName, job: JobName, run: RunID?, event: DeliveryEvent, payload: DeliveryPayload,
    key: String,
    notBefore: Timestamp? = nil, createdAt: Timestamp
  ) {
    self.hook = hook
    self.job = job
    self.run = run
    self.event = event
    self.payload = payload
    self.key = key
    self.notBefore = notBefore
    self.createdAt = createdAt
  }
}

/// The JSON of a delivery before its items have sequence numbers. The store assigns these numbers
/// when it stores the changes of the items.
package struct DeliveryPayload: Equatable, Sendable {
  /// The parts of the text before, between and after the sequence numbers.
  private var pieces: [String]
  /// The index of the change for each sequence number: see `appendSequence`.
  private var offsets: [Int64] = []

  /// Creates a payload from a text without sequence numbers.
  package init(_ text: String) { pieces = [text] }

  package mutating func append(_ text: String) { pieces[pieces.count - 1] += text }

  /// Appends a placeholder for a sequence number. `offset` is the index of the change among the
  /// changes that are stored together with this delivery.
  package mutating func appendSequence(ofChange offset: Int) {
    offsets.append(Int64(offset))
    pieces.append("")
  }

  /// Returns the whole text with its sequence numbers. `firstSequence` is the sequence number of
  /// the first change in the part of the run that is stored with this delivery.
  package func text(firstSequence: Int64) -> String {
    if offsets.isEmpty { return pieces[0] }
    var text = pieces[0]
    text.reserveCapacity(byteCount)
    for (offset, piece) in zip(offsets, pieces.dropFirst()) {
      text += String(firstSequence &+ offset)
      text += piece
    }
    return text
  }

  /// The approximate size of the whole text, in bytes.
  package var byteCount: Int { pieces.reduce(0) { $0 + $1.utf8.count + Self.digitsUsual } }

  private static let digitsUsual = 8
}

extension DeliveryPayload: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }
}

/// The part of a job's history that hooks report.
package struct DeliveryHistory: Equatable, Sendable {
  /// The schedule's count of consecutive failed runs before the reported run. `failuresAfter` is
  /// the count after the run, which is 0 if the run succeeded.
  package var failuresBefore: Int
  package var failuresAfter: Int

  package init(failuresBefore: Int = 0, failuresAfter: Int = 0) {
    self.failuresBefore = failuresBefore
    self.failuresAfter = failuresAfter
  }
}
