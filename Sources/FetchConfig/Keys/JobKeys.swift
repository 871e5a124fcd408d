import FetchModel
import FetchValues

/// The target into which the keys of a job are read.
struct JobReading {
  var job: JobConfig
  /// Whether the job has the key `timeout` with a valid value. The limit `window` is the same
  /// setting, so a job may have only one of them.
  var hasTimeout = false
  var hasWindow = false
}

/// The keys of a job. `defaults` has the same keys, except the keys that only a single job can
/// have.
enum JobKeys {
  private typealias Key = ConfigKey<JobReading>

  /// The maximum jitter. A longer jitter would make a daily job skip days.
  private static let jitterMax: Duration = .seconds(86_400)

  static let all = ConfigKeys<JobReading>(
    what + when + access, unknownAdvice: "; options of the plugin go below `options:`")

  private static let what: [Key] = [
    Key(
      "name", as: .text,
      "unique name, under which items and state are stored", isRequired: true, isOwn: true
    ) {
      reader, value, target in
      target.job.name = JobName(reader.name(value.node))
    },
    Key(
      "plugin", as: .text,
      "a plugin's name, or a path (with a slash, or the name of a `.lua` file beside the config)",
      isRequired: true, isOwn: true
    ) { reader, value, target in
      let text = reader.text(value.node, value.path)
      if text == "" { reader.note(value.node, "the plugin is empty; write plugin: NAME") }
      target.job.plugin = text ?? ""
      target.job.pluginPlace = value.node.place
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
      "maximum random delay of each due time, if `interval` is a duration or a cron line",
      default: "0s"
    ) { $0.job.jitter = $1 },
    Key(
      "between", .windows, "times of day at which the job may run; a range can cross midnight",
      default: "the whole day"
    ) { $0.job.windows = $1 },
    Key(
      "days", .days,
      "days on which the job may run; a range across midnight counts for the day on which it "
        + "begins",
      default: "daily"
    ) { $0.job.days = $1 },
    Key(
      "zone", .zone, "time zone of `interval`, `between` and `days`", default: "the system's"
    ) { $0.job.zone = $1 },
    Key(
      "timeout", as: .window,
      "maximum time of a run without its waits for a turn at a hostname; the same as the limit "
        + "`window`",
      default: "the plugin's, otherwise 30s"
    ) { reader, value, target in reader.setTimeout(to: value.node, in: &target) },
    Key("limits", as: .limits, "limits of a run that differ from the defaults") {
      reader, value, target in
      reader.setLimits(to: value.node, in: &target)
    },
    Key(
      "priority", .priority,
      "which jobs run first if not all can run at once", default: "normal"
    ) {
      $0.job.priority = $1
    },
    Key("budget", as: .quota, "limits of this job alone, in addition to those of all jobs") {
      reader, value, target in
      target.job.budget = reader.budget(value.node, over: target.job.budget, ofJob: true)
    },
    Key("conditions", .conditions, "conditions that must be met before the job runs") {
      $0.job.conditions = $1
    },
    Key(
      "catch_up", .choice(CatchUp.self),
      "what happens to due times that the job missed, for example while fetchrun was not running",
      default: "one"
    ) { $0.job.catchUp = $1 },
    Key(
      "first_run", .firstRun,
      "which items of the first run are news; all other items are stored without a notification",
      default: "the plugin's, otherwise all"
    ) { $0.job.firstRun = $1 },
    Key("watch", .paths, "files and folders whose change makes the job due, while `serve` runs") {
      $0.job.watchedPaths += $1
    },
    Key(
      "websub", .flag,
      "whether the job subscribes at the hub that its feed names; needs `web.url`", default: "true"
    ) { $0.job.usesWebSub = $1 },
    Key(
      "push", as: .section("push"),
      "how pushes over HTTP are signed, and how often to poll while a hub pushes"
    ) { reader, value, target in
      target.job.push = reader.push(value.node, over: target.job.push)
    },
    Key(
      "enabled", .flag, "whether the job is scheduled; a disabled job still runs by name",
      default: "true"
    ) {
      $0.job.isEnabled = $1
    },
  ]

  private static let access: [Key] = [
    Key(
      "hosts", .hosts,
      "hostnames that may be reached in addition to those that the plugin requests"
    ) {
      $0.job.hosts += $1
    },
    Key("allow", as: .section("allow"), "the permissions of the job") { reader, value, target in
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
      "secrets", as: .jobSecrets,
      "the secrets that the plugin requests, under the plugin's names for them",
      isOwn: true
    ) { reader, value, target in
      let secrets = reader.jobSecrets(value.node)
      target.job.secrets = secrets.map(\.given)
      target.job.secretPlaces = secrets.map(\.place)
    },
    Key(
      "hooks", as: .hooks,
      "further hooks for this job alone, without the keys `jobs` and `plugins`",
      isOwn: true
    ) { reader, value, target in target.job.hooks = reader.hooks(value.node, ofJob: true) },
  ]
}
