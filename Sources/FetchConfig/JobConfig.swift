package import FetchModel
package import FetchValues

/// One job of the config, with the config's defaults filled in.
package struct JobConfig: Equatable, Sendable {
  package var name: String
  /// A plugin's name, or a path if it contains a slash.
  package var plugin: String
  package var options = ValueObject()
  /// The interval; if nil, the plugin's, otherwise adaptive.
  package var interval: Interval?
  /// The longest random delay of each time of a duration or a cron line.
  package var jitter: Duration = .zero
  /// The times of day at which it may run; empty for the whole day.
  package var windows: [DayWindow] = []
  package var days: Weekdays = .all
  /// The time zone; nil for the system's.
  package var zone: ZoneOffsets?
  package var priority: Priority = .normal
  /// The limits of this job alone.
  package var budget = BudgetLimits()
  package var conditions = Conditions()
  package var catchUp: CatchUp = .one
  /// The rule of the first run; nil for the plugin's.
  package var firstRun: FirstRunRule?
  /// The files and folders whose change makes the job due.
  package var watchedPaths: [String] = []
  /// Whether it is scheduled; a disabled job still runs by name.
  package var isEnabled = true
  /// The hostnames it may reach in addition to those its plugin asks for.
  package var hosts: [HostPattern] = []
  package var allow = Allowance()
  package var isolation: Isolation?
  /// The place and the limits of its files.
  package var files = FilesSettings()
  /// The secrets that its plugin receives, of those it asks for.
  package var secrets: [GivenSecret] = []
  /// The hooks for this job alone.
  package var hooks: [HookConfig] = []
  /// The limits that differ from the defaults, by name; `timeout` is the limit `window`.
  package var limits = ValueObject()

  /// The place of the job, for messages about it.
  package var file = ""
  package var line: Int
  package var column = 0
  package var pluginPlace = ConfigPlace()
  /// The place of each option, in their order.
  package var optionPlaces: [ConfigPlace] = []
  /// The names of options with a missing variable, which has already been reported.
  package var unreadOptions: Set<String> = []
  /// The place of each secret, in their order.
  package var secretPlaces: [ConfigPlace] = []

  package init(name: String, plugin: String, line: Int = 0) {
    self.name = name
    self.plugin = plugin
    self.line = line
  }

  /// Returns when it may run, by its own zone or by the local one.
  package func runTimes(local: ZoneOffsets) -> RunTimes {
    RunTimes(windows: windows, days: days, zone: zone ?? local)
  }

  /// Whether the other job is equal apart from its place in the file: finds what a reload has
  /// changed.
  package func isSame(as other: JobConfig) -> Bool {
    var moved = other
    (moved.file, moved.line, moved.column) = (file, line, column)
    (moved.pluginPlace, moved.optionPlaces) = (pluginPlace, optionPlaces)
    moved.secretPlaces = secretPlaces
    return self == moved
  }
}
