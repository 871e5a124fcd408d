import FetchModel
import FetchValues

/// The keys of a job, and of `defaults` where they are not a job's own.
enum JobKey: String, ConfigKey {
  case name
  case plugin
  case options
  case interval
  case jitter
  case between
  case days
  case zone
  case timeout
  case limits
  case priority
  case budget
  case conditions
  case catchUp = "catch_up"
  case firstRun = "first_run"
  case watch
  case enabled
  case hosts
  case allow
  case allowPrivate = "allow_private"
  case allowRead = "allow_read"
  case isolation
  case files
  case secrets
  case hooks

  /// Whether it says something of one job only, and so cannot be a default.
  var isOwn: Bool { ownKeys.contains(self) }

  private var ownKeys: [JobKey] { [.name, .plugin, .options, .secrets, .hooks] }

  var entry: ConfigEntry {
    switch self {
    case .name: ConfigEntry(.text, "what items and state belong to; unique", isRequired: true)
    case .plugin:
      ConfigEntry(
        .text,
        "a plugin's name, or its path: with a slash, or the name of a `.lua` file beside the config",
        isRequired: true)
    case .options: ConfigEntry(.options, "the plugin's options")
    case .interval:
      ConfigEntry(.interval, "when the job runs by itself", default: "the plugin's, else adaptive")
    case .jitter:
      ConfigEntry(
        .pause,
        "each time of a duration or a cron line comes up to this much later, evenly spread",
        default: "0s")
    case .between:
      ConfigEntry(
        .windows, "times of the day at which it may run; one may go over midnight",
        default: "the whole day")
    case .days:
      ConfigEntry(
        .days, "days on which it may run; a time over midnight belongs to the day it begins on",
        default: "daily")
    case .zone:
      ConfigEntry(
        .zone, "whose clocks `interval`, `between` and `days` mean", default: "the system's")
    case .timeout:
      ConfigEntry(
        .window, "the window of a run; the limit `window`", default: "the plugin's, else 30s")
    case .limits: ConfigEntry(.limits, "limits of a run that differ from the usual")
    case .priority: ConfigEntry(.priority, "who goes first where not all can", default: "normal")
    case .budget:
      ConfigEntry(.quota, "what it alone may spend, beside the budget of all jobs")
    case .conditions: ConfigEntry(.conditions, "what must hold before it runs")
    case .catchUp:
      ConfigEntry(
        .choice(CatchUp.allCases.map(\.rawValue)), "what becomes of times missed while nothing ran",
        default: "one")
    case .firstRun:
      ConfigEntry(
        .firstRun,
        "which items of its first run are news; the others are stored, and nobody hears of them",
        default: "the plugin's, else all")
    case .watch:
      ConfigEntry(.paths, "files and folders whose change makes the job due, while it is served")
    case .enabled: ConfigEntry(.flag, "whether it runs at all, but by its name", default: "true")
    case .hosts: ConfigEntry(.hosts, "hostnames it may reach besides those the plugin asks for")
    case .allow: ConfigEntry(.allow, "what it may touch, see below")
    case .allowPrivate: ConfigEntry(.blocks, "short for `private` of `allow`", default: "none")
    case .allowRead: ConfigEntry(.paths, "short for `read` of `allow`")
    case .isolation:
      ConfigEntry(
        .choice(Isolation.allCases.map(\.rawValue)), "`run` gives each run a worker process",
        default: "the plugin's")
    case .files: ConfigEntry(.files, "the job's own folder, see below")
    case .secrets: ConfigEntry(.jobSecrets, "the secrets that the plugin asks for, by its names")
    case .hooks:
      ConfigEntry(.hooks, "who else is told of this job alone; without `jobs` and `plugins`")
    }
  }
}
