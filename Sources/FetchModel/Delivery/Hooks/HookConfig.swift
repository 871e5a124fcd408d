import FetchValues

/// One hook as the config has it: who is told of what, and where.
package struct HookConfig: Equatable, Sendable {
  /// Unique in a config; deliveries belong to it.
  package var name: String
  package var scope: HookScope = .allJobs
  package var events: Set<HookEvent> = [.added]
  /// Whether `events` is the config's word; else a hook file is told of what it has functions for.
  package var namesEvents = false
  /// Items that do not pass are not told of; a run of which none is left neither.
  package var filter: ItemFilter?
  package var batching = HookBatching.run
  /// How many deliveries at most; more wait.
  package var rate: Rate?
  /// What is not delivered after so long is given up: see `DeliveryState.dead`.
  package var deadAfter: Duration = Self.deadAfterUnlessSet
  /// `failed` is told after so many failures in a row.
  package var failuresInRow = 3
  /// `stale` is told when no run went well for so long.
  package var staleAfter: Duration?
  /// `stale` is told when no run brought anything new for so long.
  package var quietAfter: Duration?
  package var sink: HookSink

  /// Where it stands, for messages about it.
  package var file = ""
  package var place = (line: 0, column: 0)
  /// Whether its own settings have mistakes, so that it stands for none that can be used.
  package var hasMistakes = false
  /// Where its events stand, in their order there.
  package var eventPlaces: [(event: HookEvent, line: Int, column: Int)] = []

  package init(name: String, sink: HookSink) {
    self.name = name
    self.sink = sink
  }

  /// A weekend and a day.
  package static let deadAfterUnlessSet: Duration = .seconds(3 * 86_400)
  package static let failuresInRowAllowed = 1...1000
  /// Names of hooks are part of idempotency keys, which have no dots (Standard Webhooks).
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

  /// The same hook, wherever it stands.
  package static func == (left: HookConfig, right: HookConfig) -> Bool {
    left.name == right.name && left.scope == right.scope && left.events == right.events
      && left.namesEvents == right.namesEvents && left.filter == right.filter
      && left.batching == right.batching
      && left.rate == right.rate && left.deadAfter == right.deadAfter
      && left.failuresInRow == right.failuresInRow && left.staleAfter == right.staleAfter
      && left.quietAfter == right.quietAfter && left.sink == right.sink
  }
}

/// How much one delivery of a hook has in it.
package enum HookBatching: Equatable, Sendable {
  /// The news of a run together.
  case run
  /// One item.
  case each
  /// All that came in so long a time, of all jobs of the hook together.
  case digest(Duration)
}

/// The jobs whose runs a hook is told of.
package enum HookScope: Equatable, Sendable {
  case allJobs
  /// Those of these plugins, by the names in their manifests.
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
