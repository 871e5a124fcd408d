import FetchModel
import FetchValues

/// The target into which the keys of a job are read.
struct JobReading {
  var job: JobConfig
  /// `timeout` and the limit `window` are the same setting, which a job may have once.
  var hasTimeout = false
  var hasWindow = false
}

/// The keys of a job, and of `defaults` unless they belong to one job.
enum JobKeys {
  private typealias Key = ConfigKey<JobReading>

  /// A longer one would make a daily job skip days.
  private static let jitterMax: Duration = .seconds(86_400)

  static let all = ConfigKeys<JobReading>(what + when + access)

  private static let what: [Key] = [
    Key(
      "name", as: .text, "unique name; items and state belong to it", isRequired: true, isOwn: true
    ) {
      reader, value, target in
      target.job.name = reader.name(value.node)
    },
    Key(
      "plugin", as: .text,
      "a plugin's name, or a path (with a slash, or the name of a `.lua` file beside the config)",
      isRequired: true, isOwn: true
    ) { reader, value, target in
      target.job.plugin = reader.text(value.node, value.path) ?? ""
      target.job.pluginPlace = reader.place(of: value.node)
    },
    Key("options", as: .options, "the plugin's options", isOwn: true) { reader, value, target in
      reader.setOptions(to: value.node, in: &target.job)
    },
  ]

  private static let when: [Key] = [
    Key(
      "interval", .interval, "when the job runs", default: "the plugin's, otherwise adaptive"
    ) { $0.job.interval = $1 },
    Key(
      "jitter", .pause(atMost: jitterMax),
      "longest random delay of each time of a duration or a cron line",
      default: "0s"
    ) { $0.job.jitter = $1 },
    Key(
      "between", .windows, "times of day at which it may run; a range can cross midnight",
      default: "the whole day"
    ) { $0.job.windows = $1 },
    Key(
      "days", .days,
      "days on which it may run; a range across midnight belongs to the day it begins on",
      default: "daily"
    ) { $0.job.days = $1 },
    Key(
      "zone", .zone, "time zone of `interval`, `between` and `days`", default: "the system's"
    ) { $0.job.zone = $1 },
    Key(
      "timeout", as: .window, "longest time of a run; the same as the limit `window`",
      default: "the plugin's, otherwise 30s"
    ) { reader, value, target in reader.setTimeout(to: value.node, in: &target) },
    Key("limits", as: .limits, "limits of a run, instead of the usual ones") {
      reader, value, target in
      reader.setLimits(to: value.node, in: &target)
    },
    Key("priority", .priority, "which jobs run first when not all can", default: "normal") {
      $0.job.priority = $1
    },
    Key("budget", as: .quota, "limits of this job alone, in addition to those of all jobs") {
      reader, value, target in
      target.job.budget = reader.budget(value.node, over: target.job.budget, ofJob: true)
    },
    Key("conditions", .conditions, "conditions that must be met before it runs") {
      $0.job.conditions = $1
    },
    Key(
      "catch_up", .choice(CatchUp.self), "what happens to times that were missed while nothing ran",
      default: "one"
    ) { $0.job.catchUp = $1 },
    Key(
      "first_run", .firstRun,
      "which items of its first run are news; the others are stored without notifying anyone",
      default: "the plugin's, otherwise all"
    ) { $0.job.firstRun = $1 },
    Key("watch", .paths, "files and folders whose change makes the job due, while `serve` runs") {
      $0.job.watchedPaths += $1
    },
    Key(
      "enabled", .flag, "whether it is scheduled; a disabled job still runs by name",
      default: "true"
    ) {
      $0.job.isEnabled = $1
    },
  ]

  private static let access: [Key] = [
    Key("hosts", .hosts, "hostnames it may reach in addition to those the plugin asks for") {
      $0.job.hosts += $1
    },
    Key("allow", as: .section("allow"), "its permissions") { reader, value, target in
      reader.section(value.node, "allow", AllowKeys.all, into: &target.job.allow)
    },
    Key("allow_private", .blocks, "short form of `allow.private`", default: "none") {
      $0.job.allow.add($1)
    },
    Key("allow_read", as: .paths, "short form of `allow.read`") { reader, value, target in
      reader.setRead(to: value.node, in: &target.job.allow)
    },
    Key(
      "isolation", .choice(Isolation.self), "`run` gives each run its own worker process",
      default: "the plugin's"
    ) { $0.job.isolation = $1 },
    Key("files", as: .files, "the job's own folder") { reader, value, target in
      reader.section(value.node, "files", FilesKeys.all, into: &target.job.files)
    },
    Key(
      "secrets", as: .jobSecrets, "the secrets that the plugin asks for, under the plugin's names",
      isOwn: true
    ) { reader, value, target in
      let secrets = reader.jobSecrets(value.node)
      target.job.secrets = secrets.map(\.given)
      target.job.secretPlaces = secrets.map(\.place)
    },
    Key(
      "hooks", as: .hooks, "more hooks, for this job alone; without the keys `jobs` and `plugins`",
      isOwn: true
    ) { reader, value, target in target.job.hooks = reader.hooks(value.node, ofJob: true) },
  ]
}
