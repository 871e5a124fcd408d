import FetchValues

/// The config of one hook: its jobs, its events and its sink.
package struct HookConfig: Equatable, Sendable {
  /// The name, unique in a config; deliveries belong to it.
  package var name: String
  package var scope: HookScope = .allJobs
  package var events: Set<HookEvent> = [.added]
  /// Whether the config names `events`; if not, the functions of a hook file decide.
  package var namesEvents = false
  /// The filter. Items that do not match are not delivered, nor is a run without any matching item.
  package var filter: ItemFilter?
  package var batching = HookBatching.run
  /// The most deliveries; more wait.
  package var rate: Rate?
  /// The time after which an undelivered message is given up: see `DeliveryState.dead`.
  package var deadAfter: Duration = Self.deadAfterUnlessSet
  /// The number of failures in a row that `failed` reports.
  package var failuresInRow = 3
  /// The time without a successful run that `stale` reports.
  package var staleAfter: Duration?
  /// The time without anything new that `stale` reports.
  package var quietAfter: Duration?
  package var sink: HookSink

  /// Its config file, for messages.
  package var file = ""
  package var place = (line: 0, column: 0)
  /// Whether its settings have mistakes, so that it cannot be used.
  package var hasMistakes = false
  /// The places of its events in the config, in order.
  package var eventPlaces: [(event: HookEvent, line: Int, column: Int)] = []

  package init(name: String, sink: HookSink) {
    self.name = name
    self.sink = sink
  }

  /// A weekend and a day.
  package static let deadAfterUnlessSet: Duration = .seconds(3 * 86_400)
  package static let failuresInRowAllowed = 1...1000
  /// The rule for names. They are part of idempotency keys, which have no dots (Standard Webhooks).
  package static let nameRule = "letters, digits, - and _, at most 64"

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

  /// Compares everything but the places in the config.
  package static func == (left: HookConfig, right: HookConfig) -> Bool {
    left.name == right.name && left.scope == right.scope && left.events == right.events
      && left.namesEvents == right.namesEvents && left.filter == right.filter
      && left.batching == right.batching
      && left.rate == right.rate && left.deadAfter == right.deadAfter
      && left.failuresInRow == right.failuresInRow && left.staleAfter == right.staleAfter
      && left.quietAfter == right.quietAfter && left.sink == right.sink
  }
}

/// The amount of content in one delivery of a hook.
package enum HookBatching: Equatable, Sendable {
  /// The news of a run.
  case run
  /// One item.
  case each
  /// The news of all the hook's jobs in such a period.
  case digest(Duration)
}

/// The jobs whose runs a hook reports.
package enum HookScope: Equatable, Sendable {
  case allJobs
  /// The jobs of these plugins, by the names in their manifests.
  case plugins([String])
  case jobs([String])
}

extension HookScope {
  package func includes(job: String, plugin: String) -> Bool {
    switch self {
    case .allJobs: true
    case .plugins(let names): names.contains { ExactText($0) == ExactText(plugin) }
    case .jobs(let names): names.contains { ExactText($0) == ExactText(job) }
    }
  }
}
