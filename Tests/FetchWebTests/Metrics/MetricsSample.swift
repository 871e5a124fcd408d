import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import FetchWeb

/// A page of metrics in which each metric has a sample.
enum MetricsSample {
  static let start = Timestamp(seconds: 1_795_132_800)

  static func record(_ outcome: Outcome, _ trigger: RunTrigger = .schedule) -> RunRecord {
    var record = RunRecord(
      run: RunID(startedAt: start, random: (1, 2)), job: "news", plugin: "rss", trigger: trigger,
      outcome: outcome, startedAt: start)
    record.duration = .milliseconds(250)
    record.cpu = .milliseconds(3)
    record.requestCount = 2
    record.receivedBytes = 1_000
    return record
  }

  static var counters: MonitoringCounters {
    var counters = MonitoringCounters()
    counters.add(record(.newData(ChangeCounts(added: 2, updated: 1))))
    counters.add(record(.noData(.notModified), .manual))
    counters.add(record(.failed(Failure(.tls, "no"))))
    counters.skips["missed"] = 4
    counters.startDelaySeconds.add(.milliseconds(20))
    counters.itemDelaySeconds.add(.seconds(600))
    counters.commitSeconds.add(.milliseconds(4))
    counters.transferBytes = 7
    counters.add(.delivered, of: "desk")
    counters.add(.dead, of: "phone\"\n\\")
    return counters
  }

  static var overview: OverviewLine {
    var overview = OverviewLine(isServed: true)
    overview.startedAt = start
    overview.jobs = [.scheduled: 3, .paused: 1]
    overview.broken = 1
    overview.stale.newData = 2
    overview.nextDueAt = start + .seconds(60)
    overview.overdue = .seconds(5)
    return overview
  }

  static var line: MetricsLine {
    var line = MetricsLine(overview)
    line.counters = counters
    line.cpuSeconds = 1.5
    line.residentBytes = 9_000_000
    line.workers = 2
    line.lanesClosed = 1
    line.lanesWaiting = 3
    line.budget = [MetricsLine.BudgetShare(resource: "requests", period: "h", ratio: -0.25)]
    line.hooks = [MetricsLine.HookLine(hook: "desk", pending: 1, dead: 0, oldestAt: start)]
    line.transfers = ["queued": 2]
    line.storeBytes = 40_960
    line.logBytes = 4_096
    line.jobsLeftOut = 3
    return line
  }

  static func job(_ name: String) -> JobMetricsLine {
    var job = JobMetricsLine(job: name)
    job.lastSuccessAt = start
    job.lastNewDataAt = start
    job.failures = 1
    job.runs = ["newData": 1, "noData": 2, "failed": 3]
    return job
  }

  static var page: MetricsPage {
    var page = MetricsPage(lines: [line.value, job("news").value])
    let web = WebMetrics()
    web.answered("/api/v1/jobs/{job}", code: 200, in: .milliseconds(3))
    web.streamsChanged(by: 1)
    web.pushed("capability", "accepted")
    page.web = web.counters
    page.web.subscriptions = ["active": 1]
    page.web.pushMissed = 0
    return page
  }
}
