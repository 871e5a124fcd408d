package import FetchModel
package import FetchValues

/// One run for a worker to execute.
package struct WorkerRun: Sendable {
  package enum Isolation: Sendable {
    /// The run may share a process with runs of the same plugin content and the same extra grant.
    case shared
    /// The run has a process of its own.
    case perRun
  }

  package var plugin: PluginSource
  /// The name of the function to call in the plugin's table.
  package var entry = "fetch"
  /// The contents of the plugin's `ctx`, such as `options`, `state` and `job`.
  package var arguments = ValueObject()
  package var limits = RunLimits()
  /// The waiting times that suspend the run's time window (`limits.window`); nil if nothing
  /// suspends it.
  package var waits: TurnWaits?
  /// The time from the start of the run's time window until the run was passed to the worker pool.
  /// It includes the waiting times in `waits`.
  package var elapsed: Duration = .zero
  /// The seed of `math.random`.
  package var seed: UInt64
  package var isolation = Isolation.shared
  /// The permissions of the run other than hostnames. Runs share a process only if these
  /// permissions are equal.
  package var extraGrant = ExtraGrant()
  /// Whether another run waits for the result of this run. For example, a job's run waits for a
  /// call of a hook file. Such a call takes no turn in `LargeResults`, because the waiting run may
  /// already have the turn.
  package var isPartOfRun = false

  package init(plugin: PluginSource, seed: UInt64) {
    self.plugin = plugin
    self.seed = seed
  }
}

/// The products of a run, or of the part of a run before a checkpoint, checked for shape and
/// limits.
package struct WorkerProducts: Equatable, Sendable {
  package var items: [ParsedItem] = []
  /// The empty items, which `items` does not include.
  package var emptyItems = EmptyItems()
  /// The plugin's new state; nil if the state is unchanged.
  package var state: Value?
  /// The combined hints of all feeds that the run has read. They delay the next run no longer than
  /// the hints of each single feed.
  package var feedHints = FeedHints()
  /// The WebSub hub of a source and the source's own address; nil if the run has found none. See
  /// `LibraryContext.hubLinks`.
  package var hubLinks: HubLinks?
  /// Whether the plugin declared its items to be complete.
  package var isWhole = false
  /// Whether the plugin's function returned nothing, not even an empty list.
  package var returnedNothing = false
  /// The plugin's short note on the run.
  package var note: String?

  package init() {}
}

/// The result of a run in a worker.
package struct WorkerRunEnd: Sendable {
  package var result: Result<WorkerProducts, Failure>
  package var usage = RunUsage()
  package var logs: [LogLine] = []
  /// The confinement of the worker that had the run when the run ended. It is nil if no worker had
  /// the run, or if that worker had not sent its report yet.
  package var isolation: IsolationReport?
  /// The turn of a large result, which is held while the result is in memory. It is nil if the
  /// result is not large, or if the run is part of another run.
  package internal(set) var turn: LargeResults.Turn?

  package init(_ result: Result<WorkerProducts, Failure>) { self.result = result }
}

/// The items of a plugin that are left out because they are empty, such as the spacer rows of a
/// table.
package struct EmptyItems: Equatable, Sendable {
  package private(set) var count = 0
  /// The problem of the first empty item. The run reports this problem if all its items are empty.
  package private(set) var failure: Failure?

  package init() {}

  mutating func add(_ failure: Failure) {
    count += 1
    self.failure = self.failure ?? failure
  }
}
