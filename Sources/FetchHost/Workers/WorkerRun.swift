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
