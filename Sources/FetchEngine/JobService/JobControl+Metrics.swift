import FetchHost
import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// The metrics of the daemon and of its jobs.
extension JobControl {
  /// Answers with one line of the daemon's metrics, then one line for each existing job that
  /// `series` selects, at most `MetricsSeries.jobsMax` lines. Fails if this process has no metrics.
  func metrics(
    _ series: MetricsSeries, _ line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    guard let metrics else { return .failed("this process has no metrics; only a daemon has them") }
    let jobs = jobMetrics(series, metrics)
    var numbers = MetricsLine(await overview())
    numbers.counters = metrics.counters
    numbers.cpuSeconds = ProcessUsage.cpu() / .seconds(1)
    numbers.residentBytes = ProcessUsage.residentBytes() ?? 0
    numbers.workers = await runs?.services.workers.status().count ?? 0
    count(&numbers)
    for subscription in subscriptions?.all ?? [] {
      numbers.subscriptions[subscription.state.rawValue, default: 0] += 1
    }
    numbers.pushMissed = subscriptions?.missedCount ?? 0
    if let sums = try? await reader?.sums() { numbers.add(sums) }
    if let reader, reader.address.isServer {
      if let facts = try? await reader.facts() { numbers.storeBytes = facts.byteCount }
    } else if let path = reader?.address.path {
      numbers.storeBytes = ProcessUsage.fileBytes(path) ?? 0
      numbers.logBytes = ProcessUsage.fileBytes(path + "-wal") ?? 0
    }
    numbers.jobsLeftOut = max(0, numbers.overview.jobs.values.reduce(0, +) - jobs.count)
    await line(numbers.value)
    for job in jobs { await line(job.value) }
    return .done
  }

  private func count(_ numbers: inout MetricsLine) {
    let now = now()
    let (lanes, report) = jobs.look { scheduler in
      (scheduler.laneCounts(now: now), scheduler.budget.report(now: now))
    }
    (numbers.lanesClosed, numbers.lanesWaiting) = lanes
    numbers.budget = report.compactMap { limit in
      guard limit.burst > 0, limit.available.isFinite else { return nil }
      return MetricsLine.BudgetShare(
        resource: limit.resource.rawValue, period: limit.rate.period.rawValue,
        ratio: limit.available / limit.burst)
    }
  }

  private func jobMetrics(_ series: MetricsSeries, _ metrics: DaemonMetrics) -> [JobMetricsLine] {
    let numbers: [JobNumber] =
      switch series {
      case .first(0): []
      case .first(let count): jobs.numbers(after: nil, max: count) { _, _ in true }
      case .named(let names):
        jobs.look { scheduler in
          names.prefix(MetricsSeries.jobsMax).compactMap { scheduler.number(of: $0) }
        }
      }
    if numbers.isEmpty { return [] }
    var lines = jobs.look { scheduler in
      numbers.filter(scheduler.holds).map { number in
        let schedule = scheduler.schedule(of: number)
        var line = JobMetricsLine(job: scheduler[number].name.text)
        line.lastSuccessAt = schedule.lastSuccessAt
        line.lastNewDataAt = schedule.lastNewDataAt
        line.failures = schedule.failureCount
        return line
      }
    }
    for (place, runs) in metrics.runs(of: lines.map { JobName($0.job) }).enumerated() {
      lines[place].runs = [
        "newData": runs.newData, "noData": runs.noData, "failed": runs.failed,
      ]
    }
    return lines
  }
}
