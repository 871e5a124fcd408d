package import FetchModel
package import FetchValues

/// One job before its plugin is loaded. A job from the config has the config's defaults. A hook
/// file is also represented as a job.
package struct JobConfig: Equatable, Sendable {
  /// The job's name; empty for a job that the user has not named.
  package var name: JobName
  /// The plugin's name or path. A text with a slash is a path.
  package var plugin: String
  package var options = ValueObject()
  /// The options from a command line, in the order given.
  package var typedOptions: [TypedOption] = []
  /// Whether a changed plugin file must wait for approval if it requests permissions that were not
  /// granted. `init(typed:)` sets it to false, because a command that the user types counts as
  /// approval.
  package var holdsToGrant = true
  /// The interval; nil to use the plugin's interval, or adaptive if the plugin has none.
  package var interval: Interval?
  /// The maximum random delay that is added to each due time. It applies only if the interval is a
  /// duration or a cron line.
  package var jitter: Duration = .zero
  /// The times of day at which the job may run; empty for the whole day.
  package var windows: [DayWindow] = []
  package var days: Weekdays = .all
  /// The job's time zone; nil for the system's time zone.
  package var zone: ZoneOffsets?
  package var priority: Priority = .normal
  /// The budget of this job alone.
  package var budget = BudgetLimits()
  package var conditions = Conditions()
  package var catchUp: CatchUp = .one
  /// The rule for the job's first run; nil to use the plugin's rule.
  package var firstRun: FirstRunRule?
  /// The files and folders that are watched. A change makes the job due.
  package var watchedPaths: [String] = []
  /// The rules for pushes over HTTP; nil if the config has none.
  package var push: PushSettings?
  /// Whether the job may subscribe at the hub that its feed names.
  package var usesWebSub = true
  /// Whether the job is scheduled. A user can still run a disabled job by its name.
  package var isEnabled = true
  /// The hostnames that the job may reach in addition to those that its plugin requests.
  package var hosts: [HostPattern] = []
  package var allow = Allowance()
  package var isolation: Isolation?
  /// The folder of the job's files, and the limits of this folder.
  package var files = FilesSettings()
  /// The secrets that the plugin receives if it requests them.
  package var secrets: [GivenSecret] = []
  /// The hooks that receive only the events of this job.
  package var hooks: [HookConfig] = []
  /// The run limits that are set for the job, by name. The config key `timeout` sets the limit
  /// `window`.
  package var limits = ValueObject()

  /// The path of the file that contains the job, for messages about the job.
  package var file = ""
  package var line: Int
  package var column = 0
  package var pluginPlace = ConfigPlace()
  /// The place of each option in the file, in the order of the options.
  package var optionPlaces: [ConfigPlace] = []
  /// The names of the options with mistakes that were already reported, such as a missing
  /// environment variable.
  package var unreadOptions: Set<String> = []
  /// The place of each secret in the file, in the order of the secrets.
  package var secretPlaces: [ConfigPlace] = []

  package init(name: JobName, plugin: String, line: Int = 0) {
    self.name = name
    self.plugin = plugin
    self.line = line
  }

  /// Creates a job from a command line.
  package init(typed plugin: String, name: JobName = .unnamed, options: [TypedOption] = []) {
    self.init(name: name, plugin: plugin)
    typedOptions = options
    holdsToGrant = false
  }

  /// Returns the times when the job may run, in the job's time zone. If the job has no time zone,
  /// the times are in `local`.
  package func runTimes(local: ZoneOffsets) -> RunTimes {
    RunTimes(windows: windows, days: days, zone: zone ?? local)
  }

  /// Whether two jobs are equal except for their places in the file. `ConfigEdit` uses this
  /// function to check that the existing jobs stay unchanged.
  package func isSame(as other: JobConfig) -> Bool {
    var moved = other
    (moved.file, moved.line, moved.column) = (file, line, column)
    (moved.pluginPlace, moved.optionPlaces) = (pluginPlace, optionPlaces)
    moved.secretPlaces = secretPlaces
    return self == moved
  }
}

/// An option from a command line. Its text is parsed when the plugin is known.
package struct TypedOption: Equatable, Sendable {
  package var name: String
  package var text: String

  /// Splits the text `name=value` into the option's name and value.
  package init(_ word: String) {
    let cut = word.firstIndex(of: "=") ?? word.endIndex
    name = String(word[..<cut])
    text = String(word[cut...].dropFirst())
  }
}
