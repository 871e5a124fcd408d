package import FetchValues

/// The config of one hook: its jobs, its events and its sink.
package struct HookConfig: Equatable, Sendable {
  /// The hook's name, which is unique in a config and stored with each delivery.
  package var name: HookName
  package var scope: HookScope = .allJobs
  package var events: Set<HookEvent> = [.added]
  /// Whether the hook's config has the key `events`. If a Lua hook's config lacks this key, the
  /// functions in the hook file determine the events.
  package var namesEvents = false
  /// The filter for items. Only items that match the filter are delivered, and a run without such
  /// items makes no `newData` delivery. The filter does not apply to the other events.
  package var filter: ItemFilter?
  package var batching = HookBatching.run
  /// The maximum number of attempts to deliver that may start in a period; nil for no limit.
  /// Further attempts wait.
  package var rate: Rate?
  /// The time for which the attempts of a delivery may fail before the delivery becomes dead. A
  /// failure that cannot be retried makes the delivery dead immediately.
  package var deadAfter: Duration = Self.deadAfterUnlessSet
  /// The number of consecutive failed runs after which `failed` is reported.
  package var failuresInRow = 3
  /// The time without a successful run after which `stale` is reported; nil for never.
  package var staleAfter: Duration?
  /// The time without news after which `stale` is reported; nil for never.
  package var quietAfter: Duration?
  package var sink: HookSink

  /// The path of the config file that defines the hook, for messages.
  package var file = ""
  package var place = (line: 0, column: 0)
  /// Whether the settings have mistakes, so that the hook cannot be used.
  package var hasMistakes = false
  /// The line and column of each event in the config, in order.
  package var eventPlaces: [(event: HookEvent, line: Int, column: Int)] = []

  package init(name: HookName, sink: HookSink) {
    self.name = name
    self.sink = sink
  }

  /// The default of `deadAfter`, three days. A receiver may be down for a weekend and one more day.
  package static let deadAfterUnlessSet: Duration = .seconds(3 * 86_400)
  package static let failuresInRowAllowed = 1...1000
  /// The rule for hook names, for messages. Dots are not allowed, because names are part of
  /// idempotency keys, which have no dots (Standard Webhooks).
  package static let nameRule = "at most 64 ASCII letters, digits, - and _"

  package static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Whether two configs are equal. The properties from `file` to `eventPlaces` are not compared.
  package static func == (left: HookConfig, right: HookConfig) -> Bool {
    left.name == right.name && left.scope == right.scope && left.events == right.events
      && left.namesEvents == right.namesEvents && left.filter == right.filter
      && left.batching == right.batching
      && left.rate == right.rate && left.deadAfter == right.deadAfter
      && left.failuresInRow == right.failuresInRow && left.staleAfter == right.staleAfter
      && left.quietAfter == right.quietAfter && left.sink == right.sink
  }
}

/// The rule for how much news a hook combines in one message.
package enum HookBatching: Equatable, Sendable {
  /// Each delivery has news of one run: at most `DeliveryRule.itemsMax` items.
  case run
  /// Each delivery of news has one item.
  case each
  /// Each message combines due deliveries of all the hook's jobs, at most `DeliveryQueue.digestMax`
  /// of them. A delivery is due at the end of its period, which has the given length.
  case digest(Duration)
}

/// The jobs whose runs a hook reports.
package enum HookScope: Equatable, Sendable {
  case allJobs
  /// The jobs of these plugins, by the names in their manifests.
  case plugins([PluginName])
  case jobs([JobName])
}

extension HookScope {
  package func includes(job: JobName, plugin: PluginName) -> Bool {
    switch self {
    case .allJobs: true
    case .plugins(let names): names.contains(plugin)
    case .jobs(let names): names.contains { $0 == job }
    }
  }
}

/// An event that a hook can report. The `rawValue` is the event's name in configs. Deliveries
/// report `added`, `updated` and `removed` as `DeliveryEvent.newData`.
package enum HookEvent: String, Sendable, CaseIterable {
  case added, updated, removed
  /// A run ended without news.
  case noData
  /// The schedule's count of a job's consecutive failed runs has reached
  /// `HookConfig.failuresInRow`.
  case failed
  /// A run has succeeded after at least `HookConfig.failuresInRow` consecutive failed runs.
  case recovered
  /// No run succeeded for `staleAfter`, or no run had news for `quietAfter`. After a success, the
  /// first case is reported at most once. After news, the second case is reported at most once.
  case stale
}

extension HookEvent {
  /// Creates the event for a kind of change; nil for a change that is not news.
  package init?(_ kind: ChangeKind) {
    switch kind {
    case .baseline: return nil
    case .added: self = .added
    case .updated: self = .updated
    case .removed: self = .removed
    }
  }

  package var isOfItems: Bool { self == .added || self == .updated || self == .removed }
}
