package import FetchEngine
import FetchModel
package import FetchValues

/// The contents of `/metrics` for one answer.
package struct MetricsPage: Sendable {
  /// The metrics of the daemon; nil without a readable answer of a daemon.
  package var daemon: MetricsLine?
  /// The overview that was read from the store; nil if `daemon` is present, or if the store cannot
  /// be read.
  package var stored: OverviewLine?
  package var jobs: [JobMetricsLine] = []
  package var web = WebCounters()
  /// Whether the page has the series about all jobs together. False for a caller who may see only
  /// some jobs, since these series also count hidden jobs.
  package var hasTotals = true

  package init() {}

  /// Creates the page from the lines of the daemon's answer.
  package init(lines: [Value]) {
    daemon = lines.first.flatMap(MetricsLine.init)
    jobs = lines.dropFirst().compactMap(JobMetricsLine.init)
  }

  /// Returns the text of the page in the given format.
  package func text(_ format: MetricsFormat) -> [UInt8] {
    var writer = MetricsWriter(format)
    let overview = daemon?.overview ?? stored
    writer.add(.build, [("version", overview?.version ?? Product.version)], 1 as Int64)
    writer.add(.daemonUp, [], daemon != nil)
    if let daemon { Self.add(daemonOf: daemon, &writer) }
    if hasTotals { addTotals(overview, &writer) }
    web.add(to: &writer)
    if daemon != nil { Self.add(seriesOf: jobs, &writer) }
    if let daemon, hasTotals { writer.add(.jobsLeftOut, [], daemon.jobsLeftOut) }
    return writer.text()
  }

  private func addTotals(_ overview: OverviewLine?, _ writer: inout MetricsWriter) {
    if let overview { Self.add(overview, isServed: daemon != nil, &writer) }
    if let daemon {
      Self.add(runsOf: daemon.counters, &writer)
      Self.add(stateOf: daemon, &writer)
      Self.add(deliveriesOf: daemon, &writer)
    } else if let stored {
      writer.add(.deliveries, [("hook", ""), ("state", "pending")], stored.pendingDeliveries)
      writer.add(.deliveries, [("hook", ""), ("state", "dead")], stored.deadDeliveries)
    }
  }

  private static func add(daemonOf line: MetricsLine, _ writer: inout MetricsWriter) {
    writer.add(.daemonStart, [], line.overview.startedAt)
    writer.add(.daemonCPU, [], line.cpuSeconds)
    writer.add(.daemonMemory, [], line.residentBytes)
  }

  private static func add(
    _ overview: OverviewLine, isServed: Bool, _ writer: inout MetricsWriter
  ) {
    for state in JobState.allCases {
      writer.add(.jobs, [("state", state.rawValue)], overview.jobs[state] ?? 0)
    }
    writer.add(.jobsBroken, [], overview.broken)
    if isServed {
      writer.add(.jobsHeld, [], overview.held)
      writer.add(.jobsPausedBySource, [], overview.pausedBySource)
      writer.add(.jobsStale, [("what", "success")], overview.stale.success)
      writer.add(.jobsStale, [("what", "newData")], overview.stale.newData)
      writer.add(.overdue, [], overview.overdue / .seconds(1))
      // Without a daemon, no process waits for the stored due times.
      writer.add(.nextDue, [], overview.nextDueAt)
      writer.add(.offline, [], overview.offlineSince != nil)
    }
  }

  private static func add(runsOf counters: MonitoringCounters, _ writer: inout MetricsWriter) {
    // Series without runs are written as 0, so that Prometheus sees their first increase.
    for outcome in OutcomeKind.allCases {
      for trigger in RunTrigger.allCases {
        writer.add(
          .runs, [("outcome", outcome.rawValue), ("trigger", trigger.rawValue)],
          counters.runs[outcome.rawValue]?[trigger.rawValue] ?? 0)
      }
    }
    add(counters.failures, .runFailures, "code", &writer)
    add(counters.noData, .noData, "reason", words: NoDataReason.allCases.map(\.rawValue), &writer)
    writer.add(.runSeconds, [], counters.runSeconds)
    writer.add(.startDelay, [], counters.startDelaySeconds)
    writer.add(.itemDelay, [], counters.itemDelaySeconds)
    writer.add(.runCPU, [], counters.runCPUSeconds)
    writer.add(.requests, [], counters.requests)
    writer.add(.receivedBytes, [], counters.receivedBytes)
    add(counters.items, .items, "change", words: ["added", "updated", "removed"], &writer)
    add(counters.skips, .skips, "reason", &writer)
  }

  private static func add(stateOf line: MetricsLine, _ writer: inout MetricsWriter) {
    writer.add(.runsInProgress, [], line.overview.runs)
    writer.add(.workers, [], line.workers)
    writer.add(.lanesClosed, [], line.lanesClosed)
    writer.add(.lanesWaiting, [], line.lanesWaiting)
    for (outcome, time) in line.counters.lastRuns.sorted(by: { $0.key < $1.key }) {
      writer.add(.lastRun, [("outcome", outcome)], time)
    }
    for share in line.budget {
      writer.add(
        .budget, [("resource", share.resource), ("period", share.period)], share.ratio)
    }
  }

  private static func add(deliveriesOf line: MetricsLine, _ writer: inout MetricsWriter) {
    for hook in line.hooks {
      writer.add(.deliveries, [("hook", hook.hook), ("state", "pending")], hook.pending)
      writer.add(.deliveries, [("hook", hook.hook), ("state", "dead")], hook.dead)
    }
    for hook in line.hooks { writer.add(.oldestDelivery, [("hook", hook.hook)], hook.oldestAt) }
    for (hook, results) in line.counters.deliveryAttempts.sorted(by: { $0.key < $1.key }) {
      for result in MonitoringCounters.DeliveryResult.allCases {
        writer.add(
          .deliveryAttempts, [("hook", hook), ("result", result.rawValue)],
          results[result.rawValue] ?? 0)
      }
    }
    add(
      line.transfers, .transfers, "state", words: TransferState.allCases.map(\.rawValue), &writer)
    writer.add(.transferBytes, [], line.counters.transferBytes)
    writer.add(.storeBytes, [("file", "store")], line.storeBytes)
    writer.add(.storeBytes, [("file", "log")], line.logBytes)
    writer.add(.commitSeconds, [], line.counters.commitSeconds)
  }

  private static func add(seriesOf jobs: [JobMetricsLine], _ writer: inout MetricsWriter) {
    for job in jobs { writer.add(.jobLastSuccess, [("job", job.job)], job.lastSuccessAt) }
    for job in jobs { writer.add(.jobLastNewData, [("job", job.job)], job.lastNewDataAt) }
    for job in jobs { writer.add(.jobFailures, [("job", job.job)], job.failures) }
    for job in jobs {
      for outcome in OutcomeKind.allCases {
        writer.add(
          .jobRuns, [("job", job.job), ("outcome", outcome.rawValue)],
          job.runs[outcome.rawValue] ?? 0)
      }
    }
  }

  /// Writes one count for each value of a label: for each of `words`, or for each key of `counts`
  /// if `words` is nil.
  private static func add(
    _ counts: [String: Int], _ metric: MetricDefinition, _ label: String,
    words: [String]? = nil, _ writer: inout MetricsWriter
  ) {
    for word in words ?? counts.keys.sorted() {
      writer.add(metric, [(label, word)], counts[word] ?? 0)
    }
  }
}
