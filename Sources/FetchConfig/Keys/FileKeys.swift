import FetchModel
import FetchValues

/// The top-level keys of the config file.
enum FileKeys {
  private typealias Key = ConfigKey<ConfigReader.Reading>

  static let store = "store"
  static let hooks = "hooks"
  static let jobs = "jobs"

  static let all = ConfigKeys<ConfigReader.Reading>(places + shared + rest)

  private static let places: [Key] = [
    Key(
      store, .path,
      "the file with items, state and run records, or the `postgresql://` address of a database",
      default: "$XDG_STATE_HOME/fetchrun/store.sqlite"
    ) { $0.config.store = $1 },
    Key("store_password", .secret, "the password of the user of the store's database") {
      $0.config.storePassword = $1
    },
    Key("plugins", .paths, "folders searched before the default plugin folders") {
      $0.config.pluginFolders = $1
    },
    Key(
      "sandbox", .choice(SandboxRule.self),
      "whether plugins may run if the kernel refuses the system call filter that confines them",
      default: SandboxRule.required.rawValue
    ) { $0.config.sandbox = $1 },
    Key(
      "allow_private", .blocks,
      "private, loopback and link-local addresses that all jobs may reach", default: "none"
    ) {
      let addresses = $0.template.allow.privateAddresses
      $0.template.allow.privateAddresses = addresses.union($1)
    },
    Key(
      "allow_read", as: .paths,
      "files and folders that `file:` URLs and `files.folder` of all jobs may read"
    ) { reader, value, reading in reader.setRead(to: value.node, in: &reading.template.allow) },
  ]

  private static let shared: [Key] = [
    Key("defaults", as: .defaults, "default values for the keys of a job") {
      reader, value, reading in
      reading.hasVariableDefaults = value.node.contains(UInt8(ascii: "$"))
      reader.setDefaults(to: value.node, in: &reading.template)
    },
    Key("budget", as: .section("budget"), "limits of all jobs together") {
      reader, value, reading in
      reading.config.budget = reader.budget(value.node)
    },
    Key("lanes", as: .lanes, "the pace of requests to each hostname") { reader, value, reading in
      reading.config.lanes = reader.lanes(value.node)
    },
    Key(
      "transfers", as: .section("transfers"),
      "limits of the downloads that plugins request"
    ) { reader, value, reading in
      reader.section(value.node, "transfers", TransfersKeys.all, into: &reading.config.transfers)
    },
    Key("secrets", as: .secrets, "secrets that jobs and hook files can use by name") {
      reader, value, reading in
      reading.config.secrets = reader.secrets(value.node).map(\.given)
    },
    Key(
      "secrets_key", .path, "the file with the key that encrypts stored secrets",
      default: "$XDG_CONFIG_HOME/fetchrun/secrets.key"
    ) { $0.config.secretsKey = $1 },
  ]

  private static let rest: [Key] = [
    Key("keep", as: .section("keep"), "how much the store keeps, and for how long") {
      reader, value, reading in
      reader.section(value.node, "keep", KeepKeys.all, into: &reading.config.keep)
    },
    Key(
      "keep_failed", .count(0...Config.keptFailureCountMax),
      "for each job, the number of failed runs whose answers are kept for `fetchrun replay`",
      default: "3"
    ) { $0.config.keptFailureCount = $1 },
    Key("web", as: .section("web"), "the server for the API and the page: `fetchrun web`") {
      reader, value, reading in
      reader.section(value.node, "web", WebKeys.all, into: &reading.config.web)
    },
    Key(hooks, as: .hooks, "receivers of the jobs' news and failures") { reader, value, reading in
      reading.config.hooks = reader.hooks(value.node)
    },
    Key(jobs, as: .jobs, "the jobs; files in `jobs.d/` beside the config can add more") {
      reader, value, reading in
      reading.config.jobs = reader.jobs(value.node, reading.template)
    },
  ]
}

/// The keys of `keep`.
enum KeepKeys {
  private typealias Key = ConfigKey<Retention>

  static let all = ConfigKeys<Retention>(
    prefix: "keep.",
    [
      Key(
        "versions", .count(1...Retention.versionsMax),
        "maximum number of versions of an item, including the current one", default: "20"
      ) { $0.versionCount = $1 },
      Key(
        "runs", .wholeDays,
        "how long run records, ended transfers and given-up deliveries are kept",
        default: "90d"
      ) { $0.runDays = $1 },
      Key(
        "items", .wholeDays,
        "how long items that the source no longer lists are kept; if listed again before"
          + " `keep.removed` has also passed, they are not new",
        default: "for ever"
      ) { $0.itemDays = $1 },
      Key(
        "removed", .wholeDays,
        "how long removed or pruned items are remembered; after that, an item that is listed "
          + "again is new",
        default: "365d"
      ) { $0.tombstoneDays = $1 },
      Key(
        "size", .size(atLeast: Retention.bytesMin), "maximum size of the store",
        default: "10GB, or less, so that a quarter of the free disk space stays free;"
          + " in PostgreSQL no limit"
      ) { $0.bytesMax = $1 },
      Key(
        "job_size", .size(atLeast: Retention.bytesMin),
        "maximum size of the items of one job, with their versions",
        default: "a quarter of `size`; in PostgreSQL without `size`, 4GiB"
      ) { $0.jobBytesMax = $1 },
    ])
}

/// The keys of `transfers`.
enum TransfersKeys {
  private typealias Key = ConfigKey<TransferSettings>

  static let all = ConfigKeys<TransferSettings>([
    Key(
      "at_once", .count(TransferSettings.atOnceAllowed), "maximum number of concurrent downloads",
      default: "4"
    ) {
      $0.atOnceMax = $1
    },
    Key("order", .choice(TransferOrder.self), "which download begins first", default: "queued") {
      $0.order = $1
    },
    Key(
      "speed", .size(atLeast: TransferSettings.bytesPerSecondMin),
      "maximum bytes per second, for all downloads together"
    ) { $0.bytesPerSecondMax = $1 },
  ])
}

/// The keys of one hostname under `lanes`.
enum LaneKeys {
  private typealias Key = ConfigKey<LaneRule>

  static let all = ConfigKeys<LaneRule>([
    Key(
      "connections", .count(1...LaneRule.connectionsMaxAllowed), "concurrent requests",
      default: "1"
    ) { $0.connectionsMax = $1 },
    Key(
      "gap", .pause(atMost: LaneRule.gapMax),
      "minimum time from the start of one request to the start of the next",
      default: "1s"
    ) { $0.gap = $1 },
  ])
}

/// The keys of `budget`, for all jobs and for one job. A job's budget has no key `runs`, because a
/// job never has two concurrent runs.
enum BudgetKeys {
  private typealias Key = ConfigKey<BudgetLimits>

  static let all = ConfigKeys<BudgetLimits>([
    Key("runs", .count(1...10_000), "concurrent runs", default: "100", isOwn: true) {
      $0.runsAtOnceMax = $1
    },
    Key("requests", .rates(.count), "HTTP requests per hour or day") { $0.requests = $1 },
    Key("bytes", .rates(.bytes), "bytes received per hour or day") { $0.bytes = $1 },
    Key("cpu", .rates(.time), "CPU time of plugins per hour or day") { $0.cpu = $1 },
    Key("run_time", .rates(.time), "time of all runs together per hour or day") {
      $0.runTime = $1
    },
  ])
}
