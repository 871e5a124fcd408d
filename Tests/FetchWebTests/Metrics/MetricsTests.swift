import FetchEngine
import FetchModel
import FetchValues
import FetchWeb
import Foundation
import Testing

/// Tests of the text of metrics.
@Suite struct MetricsTests {
  private func text(_ page: MetricsPage, _ format: MetricsFormat = .prometheus) -> String {
    String(decoding: page.text(format), as: UTF8.self)
  }

  private func lines(_ page: MetricsPage, _ format: MetricsFormat = .prometheus) -> [Substring] {
    text(page, format).split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `each metric has a sample, a type and a help text, once`() {
    for format in [MetricsFormat.prometheus, .openMetrics] {
      let lines = lines(MetricsSample.page, format)
      for metric in MetricDefinition.all {
        let isOpen = format == .openMetrics
        let family = isOpen || metric.kind == .histogram ? metric.name : metric.seriesNames[0]
        #expect(lines.count { $0.hasPrefix("# HELP \(family) ") } == 1, "\(metric.name)")
        #expect(lines.count { $0.hasPrefix("# TYPE \(family) ") } == 1, "\(metric.name)")
        for series in metric.seriesNames {
          #expect(
            lines.contains { $0.hasPrefix(series + " ") || $0.hasPrefix(series + "{") },
            "\(series)")
        }
      }
    }
  }

  @Test func `samples have the labels of their metric and no others`() {
    for line in lines(MetricsSample.page) where !line.hasPrefix("#") && !line.isEmpty {
      let name = String(line.prefix { $0 != "{" && $0 != " " })
      let metric = MetricDefinition.all.first { $0.seriesNames.contains(name) }
      let found = line.matches(of: /[{,]([a-z]+)="/).map { String($0.output.1) }
      var labels = metric?.labels ?? ["unknown metric \(name)"]
      if name.hasSuffix("_bucket") { labels.append("le") }
      #expect(found == labels, "\(line)")
    }
  }

  @Test func `some lines of both formats`() {
    let old = lines(MetricsSample.page)
    let open = lines(MetricsSample.page, .openMetrics)
    for line in [
      "fetchrun_build_info{version=\"\(Product.version)\"} 1",
      "fetchrun_runs_total{outcome=\"newData\",trigger=\"schedule\"} 1",
      "fetchrun_runs_total{outcome=\"newData\",trigger=\"push\"} 0",
      "fetchrun_run_seconds_bucket{le=\"0.25\"} 3", "fetchrun_run_seconds_bucket{le=\"+Inf\"} 3",
      "fetchrun_run_seconds_bucket{le=\"1.0\"} 3", "fetchrun_run_seconds_count 3",
      "fetchrun_run_seconds_sum 0.75", "fetchrun_no_data_total{reason=\"sameBody\"} 0",
      "fetchrun_budget_available_ratio{resource=\"requests\",period=\"h\"} -0.25",
      "fetchrun_delivery_attempts_total{hook=\"phone\\\"\\n\\\\\",result=\"dead\"} 1",
      "fetchrun_daemon_start_time_seconds 1795132800.0",
      "fetchrun_job_runs_total{job=\"news\",outcome=\"failed\"} 3",
    ] {
      #expect(old.contains(Substring(line)), "\(line)")
      #expect(open.contains(Substring(line)), "\(line)")
    }
    #expect(old.contains("# TYPE fetchrun_runs_total counter"))
    #expect(open.contains("# TYPE fetchrun_runs counter"))
    #expect(old.contains("# TYPE fetchrun_build_info gauge"))
    #expect(open.contains("# TYPE fetchrun_build info"))
    #expect(open.suffix(2) == ["# EOF", ""] && !old.contains("# EOF"))
  }

  @Test func `a token for some jobs learns nothing of the other jobs`() async throws {
    let site = try TestSite { (request, line) async throws(ControlError) in
      guard case .metrics = request else { return .done }
      line(MetricsSample.line.value)
      for job in ["news", "mine"] { line(MetricsSample.job(job).value) }
      return .done
    }
    let all = ["fetchrun_jobs{", "fetchrun_job_series_left_out 3", "{job=\"news\"}"]
    for (jobs, isAll) in [(nil, true), (["mine"], false)] as [([String]?, Bool)] {
      let token = try site.token(isAll ? "all" : "some", jobs: jobs)
      let text = await site.answer("GET", "/metrics", [("Authorization", "Bearer \(token)")]).text
      #expect(text.contains("fetchrun_daemon_up 1"))
      #expect(text.contains("fetchrun_job_failures{job=\"mine\"} 1"))
      for part in all { #expect(text.contains(part) == isAll, "\(part)") }
    }
  }

  @Test func `without a daemon there is what the store knows`() {
    var page = MetricsPage()
    var overview = OverviewLine(isServed: false)
    overview.jobs = [.backOff: 2]
    overview.deadDeliveries = 4
    overview.nextDueAt = MetricsSample.start
    page.stored = overview
    let found = lines(page)
    #expect(found.contains("fetchrun_daemon_up 0"))
    #expect(found.contains("fetchrun_jobs{state=\"backOff\"} 2"))
    #expect(!found.contains { $0.hasPrefix("fetchrun_runs_total") })
    #expect(!found.contains { $0.hasPrefix("fetchrun_next_due") }, "no run can start")
    page.stored = nil
    #expect(lines(page).contains("fetchrun_daemon_up 0"))
  }

  @Test(
    arguments: [
      (nil, MetricsFormat.prometheus), ("*/*", .prometheus),
      ("text/plain;version=0.0.4", .prometheus),
      ("application/openmetrics-text; version=1.0.0; charset=utf-8", .openMetrics),
      ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3", .openMetrics),
      ("application/openmetrics-text;q=0, text/plain", .prometheus),
      ("APPLICATION/OpenMetrics-Text;q=0.0", .prometheus), (";,;q=", .prometheus),
    ] as [(String?, MetricsFormat)])
  func `the client chooses the format`(accept: String?, format: MetricsFormat) {
    #expect(MetricsFormat(accept: accept) == format)
  }

  @Test func `the daemon's lines are read as they are written`() {
    let line = MetricsSample.line
    #expect(MetricsLine(line.value) == line)
    let job = MetricsSample.job("é")
    #expect(JobMetricsLine(job.value) == job)
    #expect(MetricsLine([:]) == nil && JobMetricsLine([:]) == nil)
  }

  @Test func `hostile numbers in an answer are no trap`() throws {
    var text = try JSONWriter.text(MetricsSample.line.value)
    text = text.replacing(/:[0-9.]+/, with: ":9223372036854775807")
    let line = try #require(MetricsLine(try JSONReader.decode(text)))
    #expect(!MetricsPage(lines: [line.value]).text(.openMetrics).isEmpty)
    let negative = text.replacing("9223372036854775807", with: "-9223372036854775808")
    #expect(MetricsLine(try JSONReader.decode(negative)) != nil)
  }

  @Test func `histograms count values up to their bounds`() {
    var histogram = Histogram(bounds: [1, 10])
    for value in [0.5, 1, 1.5, 10, 11, -3, .nan, .infinity] { histogram.add(value) }
    #expect(histogram.counts == [3, 2, 1] && histogram.cumulative == [3, 5, 6])
    #expect(histogram.count == 6 && histogram.sum == 24)
    #expect(Histogram(bounds: [1, 1], counts: [1, 1, 1], sum: 1) == nil)
    #expect(Histogram(bounds: [1], counts: [1], sum: 1) == nil)
    #expect(Histogram(bounds: [1], counts: [1, -1], sum: 1) == nil)
  }

  @Test func `hooks beyond the maximum are counted together`() {
    var counters = MonitoringCounters()
    for number in 0..<150 { counters.add(.failed, of: "hook\(number)") }
    #expect(counters.deliveryAttempts.count == MonitoringCounters.hooksMax + 1)
    #expect(counters.deliveryAttempts["other"]?["failed"] == 50)
  }
}
