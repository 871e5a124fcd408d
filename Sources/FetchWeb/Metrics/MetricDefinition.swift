/// A metric: its name, its kind, its labels and its meaning. The name does not include the suffix
/// of the kind, such as `_total`.
package struct MetricDefinition: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case gauge
    case counter
    case histogram
    /// A gauge that is always 1. Its labels contain facts, such as a version.
    case info
  }

  package var name: String
  package var kind: Kind
  package var labels: [String]
  package var help: String

  init(_ name: String, labels: [String] = [], _ help: String) {
    self.init(name, .gauge, labels: labels, help)
  }

  init(_ name: String, _ kind: Kind, labels: [String] = [], _ help: String) {
    self.name = "fetchrun_" + name
    self.kind = kind
    self.labels = labels
    self.help = help
  }

  /// The names of the metric's series, as queries use them.
  package var seriesNames: [String] {
    switch kind {
    case .gauge: [name]
    case .counter: [name + "_total"]
    case .info: [name + "_info"]
    case .histogram: [name + "_bucket", name + "_sum", name + "_count"]
    }
  }
}

extension MetricDefinition {
  static let build = MetricDefinition("build", .info, labels: ["version"], "The version in use.")
  static let daemonUp = MetricDefinition("daemon_up", "Whether a daemon answers.")
  static let daemonStart = MetricDefinition(
    "daemon_start_time_seconds", "Unix time when the daemon started.")
  static let daemonCPU = MetricDefinition(
    "daemon_cpu_seconds", .counter, "CPU time of the daemon without its workers.")
  static let daemonMemory = MetricDefinition(
    "daemon_resident_memory_bytes", "Resident memory of the daemon without its workers.")

  static let jobs = MetricDefinition("jobs", labels: ["state"], "Jobs in each state.")
  static let jobsBroken = MetricDefinition(
    "jobs_broken",
    "Enabled jobs with several failures in a row, or with a plugin that does not load.")
  static let jobsHeld = MetricDefinition(
    "jobs_held",
    "Enabled jobs whose plugin file may not run, for example because permissions need approval.")
  static let jobsPausedBySource = MetricDefinition(
    "jobs_paused_by_source", "Jobs that are paused because their source is gone.")
  static let jobsStale = MetricDefinition(
    "jobs_stale", labels: ["what"],
    "Jobs without a success, or without new data, for longer than a hook allows.")
  static let overdue = MetricDefinition(
    "overdue_seconds",
    "Longest time for which a job has been due although nothing prevents its run.")
  static let nextDue = MetricDefinition(
    "next_due_timestamp_seconds", "Earliest Unix time at which a run can start.")
  static let offline = MetricDefinition(
    "offline", "Whether the daemon regards the machine as offline.")

  static let runs = MetricDefinition(
    "runs", .counter, labels: ["outcome", "trigger"], "Ended runs.")
  static let runFailures = MetricDefinition(
    "run_failures", .counter, labels: ["code"], "Failed runs, by the code of their failure.")
  static let noData = MetricDefinition(
    "no_data", .counter, labels: ["reason"], "Runs without new data, by reason.")
  static let runSeconds = MetricDefinition("run_seconds", .histogram, "How long runs took.")
  static let startDelay = MetricDefinition(
    "start_delay_seconds", .histogram, "Delay between the due time of a run and its start.")
  static let itemDelay = MetricDefinition(
    "item_delay_seconds", .histogram,
    "Delay from publication to discovery of dated new items, except in a job's first result.")
  static let runCPU = MetricDefinition(
    "run_cpu_seconds", .counter, "CPU time of the plugins in ended runs.")
  static let requests = MetricDefinition("requests", .counter, "Requests of ended runs.")
  static let receivedBytes = MetricDefinition(
    "received_bytes", .counter, "Bytes that ended runs have received.")
  static let items = MetricDefinition(
    "items", .counter, labels: ["change"], "Stored changes of items.")
  static let skips = MetricDefinition(
    "skips", .counter, labels: ["reason"], "Due times and triggers that started no new run.")

  static let runsInProgress = MetricDefinition("runs_in_progress", "Runs under way.")
  static let workers = MetricDefinition("workers", "Worker processes.")
  static let lanesClosed = MetricDefinition("lanes_closed", "Hostnames whose lane is closed.")
  static let lanesWaiting = MetricDefinition(
    "lanes_waiting", "Jobs that are due and wait for their lane or the budget.")
  static let lastRun = MetricDefinition(
    "last_run_timestamp_seconds", labels: ["outcome"],
    "Unix time when the last run with this outcome ended.")
  static let budget = MetricDefinition(
    "budget_available_ratio", labels: ["resource", "period"],
    "Part of the budget that can be spent now; negative if runs cost more than expected.")

  static let deliveries = MetricDefinition(
    "deliveries", labels: ["hook", "state"], "Deliveries that wait or were given up.")
  static let oldestDelivery = MetricDefinition(
    "oldest_delivery_timestamp_seconds", labels: ["hook"],
    "Unix time when the oldest waiting delivery was created.")
  static let deliveryAttempts = MetricDefinition(
    "delivery_attempts", .counter, labels: ["hook", "result"], "Attempts to deliver.")
  static let transfers = MetricDefinition(
    "transfers", labels: ["state"], "Transfers in each state.")
  static let transferBytes = MetricDefinition(
    "transfer_received_bytes", .counter, "Bytes that transfers have received.")

  static let storeBytes = MetricDefinition(
    "store_bytes", labels: ["file"], "Size of the store and of its write-ahead log.")
  static let commitSeconds = MetricDefinition(
    "store_commit_seconds", .histogram, "How long the store took to make a run durable.")

  static let subscriptions = MetricDefinition(
    "subscriptions", labels: ["state"], "Hub subscriptions in each state.")
  static let pushes = MetricDefinition(
    "pushes", .counter, labels: ["kind", "result"], "Requests that report new content.")
  static let pushMissed = MetricDefinition(
    "push_missed", .counter,
    "New content of subscribed jobs that a hub did not report within 15 minutes.")

  static let httpRequests = MetricDefinition(
    "http_requests", .counter, labels: ["route", "code"], "Requests to routes of the web process.")
  static let httpSeconds = MetricDefinition(
    "http_request_seconds", .histogram, labels: ["route"],
    "How long the web process took to answer.")
  static let eventStreams = MetricDefinition("event_streams", "Open streams of events.")

  static let jobLastSuccess = MetricDefinition(
    "job_last_success_timestamp_seconds", labels: ["job"],
    "Unix time when a job last ran without a failure.")
  static let jobLastNewData = MetricDefinition(
    "job_last_new_data_timestamp_seconds", labels: ["job"],
    "Unix time when a job last had new data.")
  static let jobFailures = MetricDefinition(
    "job_failures", labels: ["job"], "How many times a job has failed in a row.")
  static let jobRuns = MetricDefinition(
    "job_runs", .counter, labels: ["job", "outcome"], "Ended runs of a job.")
  static let jobsLeftOut = MetricDefinition(
    "job_series_left_out", "Jobs that have no time series of their own.")

  /// All metrics, in the order in which they are written.
  package static let all: [MetricDefinition] = [
    build, daemonUp, daemonStart, daemonCPU, daemonMemory, jobs, jobsBroken, jobsHeld,
    jobsPausedBySource, jobsStale, overdue, nextDue, offline, runs, runFailures, noData,
    runSeconds, startDelay, itemDelay, runCPU, requests, receivedBytes, items, skips,
    runsInProgress, workers, lanesClosed, lanesWaiting, lastRun, budget, deliveries,
    oldestDelivery, deliveryAttempts, transfers, transferBytes, storeBytes, commitSeconds,
    subscriptions, pushes, pushMissed, httpRequests, httpSeconds, eventStreams, jobLastSuccess,
    jobLastNewData, jobFailures, jobRuns, jobsLeftOut,
  ]
}
