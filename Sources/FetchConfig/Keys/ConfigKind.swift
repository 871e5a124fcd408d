import FetchModel

/// The kind of a config key's value, for the reference page and the schema for editors.
enum ConfigKind: Sendable {
  case text
  /// One path, or a list of paths. Relative paths are resolved from the config's folder.
  case paths
  case path
  case flag
  case interval
  case duration
  /// A duration of at most a day.
  case pause
  /// A duration that is more than zero and at most a day.
  case window
  case windows
  case days
  case zone
  case choice([String])
  /// One of the given words, or a list of them.
  case choices([String])
  case count(ClosedRange<Int>)
  case rates(Rate.Quantity)
  /// A rate per hour or per day.
  case rate
  case priority
  case firstRun
  case conditions
  case hosts
  /// Paths inside a job's own folder, or `true` or `false`.
  case places
  case blocks
  case options
  /// A list of words. A single string is refused, because it would look like a command line for a
  /// shell.
  case words
  case secrets
  /// The secrets of a job or a hook file. The value `true` stands for the secret with the same name
  /// in the top-level `secrets`.
  case jobSecrets
  case secret
  case limits
  case size
  case files
  case defaults
  case quota
  /// A number of jobs, a list of the names of jobs, or `false`.
  case metricsJobs
  case lanes
  case hooks
  case events
  case filter
  case names
  case headers
  case program
  case jobs
  /// A mapping that the schema defines under the given name, or the mapping's short form.
  case section(String, or: Short? = nil)

  /// The short form of a mapping.
  enum Short: Sendable {
    /// A string with the given description.
    case text(String)
    case words

    var words: String {
      switch self {
      case .text(let what): what
      case .words: "list of words"
      }
    }
  }

  /// The description of the kind for the reference page.
  var words: String {
    switch self {
    case .text: "text"
    case .path: "path"
    case .paths: "path, or a list of them"
    case .flag: "`true` or `false`"
    case .interval: "`never`, `adaptive`, a duration (`15m`) or a cron line (`0 7 * * mon-fri`)"
    case .duration, .pause, .window: "duration, such as `1m30s`"
    case .windows: "`\"07:00-22:00\"`, or a list"
    case .days: "`mon-fri`, `sat,sun`, `weekdays`, or a list"
    case .zone: "time zone, such as `Europe/Berlin`"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .choices(let words): words.map { "`\($0)`" }.joined(separator: ", ") + ", or a list"
    case .metricsJobs: "whole number, list of names, or `false`"
    case .count(let range): "whole number, \(range.lowerBound) to \(range.upperBound)"
    case .rate: "`600/h` or `5000/d`"
    case .rates(.count): "`600/h`, `5000/d`, or a list of both"
    case .rates(.bytes): "`20MB/h`, `500MB/d`, or a list of both"
    case .rates(.time): "`10m/h`, `2h/d`, or a list of both"
    case .priority: "`low`, `normal`, `high`, or 1 to 99"
    case .firstRun: "`all`, `baseline` (none), or `latest:10`"
    case .conditions: "`network`, `ac-power`, `load below 4`, or a list"
    case .hosts: "hostname, `*.example.org`, `*`, `nas.lan:8080`, `https://example.org`, or a list"
    case .places: "`true`, `false`, or a list of paths in the job's folder"
    case .blocks:
      "`192.168.0.0/16`, `fd00::/8`, a single address, a list of these, or `true` for all addresses"
    case .options: "mapping of the options that the Lua file declares"
    case .words: "list of words, such as `[pass, show, token]`"
    case .secrets: "mapping of names and secrets, see below"
    case .jobSecrets:
      "mapping of names and secrets, see below; `true` for the top-level secret of that name"
    case .secret: "mapping with one source of a secret"
    case .limits: "mapping, see [How limits hold](../Design/HowLimitsHold.md)"
    case .size: "size, such as `500MB` or `64MiB`"
    case .files: "mapping of `root`, `bytes` and `count`"
    case .defaults:
      "mapping of the keys of a job except `name`, `plugin`, `options`, `secrets` and `hooks`"
    case .lanes, .section(_, or: nil): "mapping, see below"
    case .section(_, let short?): "\(short.words), or mapping, see below"
    case .quota: "mapping of the keys of a budget except `runs`"
    case .hooks: "list, see below"
    case .events:
      HookEvent.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") + ", or a list"
    case .filter: "condition on an item, see [Hooks](../Using/Hooks.md)"
    case .names: "text, or a list of texts"
    case .headers: "mapping of names and values, each a text or a secret"
    case .program: "list of words; with `shell`, a single string"
    case .jobs: "list, see below"
    }
  }
}
