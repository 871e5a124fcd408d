package import FetchModel
package import FetchValues

/// One job as the config has it, with the config's defaults filled in.
package struct JobConfig: Equatable, Sendable {
  package var name: String
  /// A plugin's name, or a path when it has a slash.
  package var plugin: String
  package var options = ValueObject()
  /// Nil for the plugin's, else adaptive.
  package var interval: Interval?
  /// By how much each time of a duration or a cron line may be later.
  package var jitter: Duration = .zero
  /// Times of the day at which it may run; none for the whole day.
  package var windows: [DayWindow] = []
  package var days: Weekdays = .all
  /// Nil for the system's.
  package var zone: ZoneOffsets?
  package var priority: Priority = .normal
  /// What it alone may spend.
  package var budget = BudgetLimits()
  package var conditions = Conditions()
  package var catchUp: CatchUp = .one
  /// Nil for the plugin's.
  package var firstRun: FirstRunRule?
  /// Files and folders whose change makes the job due.
  package var watchedPaths: [String] = []
  /// A job that is not runs only by its name.
  package var isEnabled = true
  /// Hostnames it may reach besides those its plugin asks for.
  package var hosts: [HostPattern] = []
  package var allow = Allowance()
  package var isolation: Isolation?
  /// Where its files are kept, and how much of them.
  package var files = FilesSettings()
  /// What its plugin gets of the secrets it asks for.
  package var secrets: [GivenSecret] = []
  /// Those that are told of this job alone.
  package var hooks: [HookConfig] = []
  /// Limits that differ from the defaults, by their names; `timeout` is the limit `window`.
  package var limits = ValueObject()

  /// Where the job stands, for messages about it.
  package var file = ""
  package var line: Int
  package var column = 0
  package var pluginPlace = ConfigPlace()
  /// Of each option, in their order.
  package var optionPlaces: [ConfigPlace] = []
  /// Names of options whose values name a variable that is missing, which is told of already.
  package var unreadOptions: Set<String> = []
  /// Of each secret, in their order.
  package var secretPlaces: [ConfigPlace] = []

  package init(name: String, plugin: String, line: Int = 0) {
    self.name = name
    self.plugin = plugin
    self.line = line
  }

  /// When it may run, by its own zone or by the local one.
  package func runTimes(local: ZoneOffsets) -> RunTimes {
    RunTimes(windows: windows, days: days, zone: zone ?? local)
  }

  /// The same job, wherever it stands in a file: for telling what a reload has changed.
  package func isSame(as other: JobConfig) -> Bool {
    var moved = other
    (moved.file, moved.line, moved.column) = (file, line, column)
    (moved.pluginPlace, moved.optionPlaces) = (pluginPlace, optionPlaces)
    moved.secretPlaces = secretPlaces
    return self == moved
  }
}
