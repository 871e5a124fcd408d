package import FetchModel
package import FetchValues

/// One run for a worker to execute.
package struct WorkerRun: Sendable {
  package enum Isolation: Sendable {
    /// The run shares a process with runs of the same plugin content and the same extra grant.
    case shared
    /// The run has a process of its own.
    case perRun
  }

  package var plugin: PluginSource
  /// The function of the plugin's table to call.
  package var entry = "fetch"
  /// The contents of the plugin's `ctx`: `options`, `state`, `trigger`, `job` ...
  package var arguments = ValueObject()
  package var limits = RunLimits()
  /// The waits that suspend the window; nil if nothing does.
  package var waits: TurnWaits?
  /// The part of the window that was used before the run came to the pool, waits included.
  package var elapsed: Duration = .zero
  /// Makes math.random repeatable.
  package var seed: UInt64
  package var isolation = Isolation.shared
  /// The rights of the run beyond requests to hostnames. It shares a process only with runs that
  /// have the same rights.
  package var extraGrant = ExtraGrant()
  /// Whether another run waits for this one, such as for a hook's. Its result then takes no turn in
  /// the queue of large results, because the other run may already have its turn.
  package var isPartOfRun = false

  package init(plugin: PluginSource, seed: UInt64) {
    self.plugin = plugin
    self.seed = seed
  }
}

/// The products of a run, checked for shape and limits.
package struct WorkerProducts: Equatable, Sendable {
  package var items: [ParsedItem] = []
  /// The items without contents, which `items` does not include.
  package var emptyItems = EmptyItems()
  /// The plugin's new state; nil if it is unchanged.
  package var state: Value?
  /// The hints of all feeds that were read: of each, the value that asks for the least.
  package var feedHints = FeedHints()
  /// Whether the plugin declared its items to be the whole set.
  package var isWhole = false
  /// Whether the plugin's function returned nothing, not even an empty list.
  package var returnedNothing = false
  /// The plugin's short note on the run.
  package var note: String?
  /// The size of all items and the state in bytes, as the worker sent them.
  package var resultBytes = 0

  package init() {}
}

/// The end of a run in a worker.
package struct WorkerRunEnd: Sendable {
  package var result: Result<WorkerProducts, Failure>
  package var usage = RunUsage()
  package var logs: [LogLine] = []
  /// The confinement of the worker that gave the result; nil if no worker could be started.
  package var isolation: IsolationReport?
  /// Held while a large result is in memory; nil for one that is not large.
  package internal(set) var turn: LargeResults.Turn?

  package init(_ result: Result<WorkerProducts, Failure>) { self.result = result }
}

/// Empty items of a plugin, such as the spacer rows of a table: they are left out.
package struct EmptyItems: Equatable, Sendable {
  package private(set) var count = 0
  /// The problem of the first one, for a run without other items.
  package private(set) var failure: Failure?

  package init() {}

  mutating func add(_ failure: Failure) {
    count += 1
    self.failure = self.failure ?? failure
  }
}
