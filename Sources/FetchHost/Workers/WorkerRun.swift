package import FetchModel
package import FetchValues

/// One run as a worker is to execute it.
package struct WorkerRun: Sendable {
  package enum Isolation: Sendable {
    /// Together with other runs of the same plugin content and the same extra grant.
    case shared
    /// In a process of its own.
    case perRun
  }

  package var plugin: PluginSource
  /// The function of the plugin's table to call.
  package var entry = "fetch"
  /// What the plugin finds in `ctx`: `options`, `state`, `trigger`, `job` ...
  package var arguments = ValueObject()
  package var limits = RunLimits()
  /// Times that the window stands still; nil where it never does.
  package var waits: TurnWaits?
  /// How much of the window was used before the worker was asked, waits included.
  package var elapsed: Duration = .zero
  /// Makes math.random repeatable.
  package var seed: UInt64
  package var isolation = Isolation.shared
  /// What the run may do beyond asking hostnames: it shares a process only with runs that may do the
  /// same.
  package var extraGrant = ExtraGrant()
  /// Whether another run waits for this one, as for a hook's: its result takes no turn in the line of
  /// the large ones, for that run may have its turn already.
  package var isPartOfRun = false

  package init(plugin: PluginSource, seed: UInt64) {
    self.plugin = plugin
    self.seed = seed
  }
}
