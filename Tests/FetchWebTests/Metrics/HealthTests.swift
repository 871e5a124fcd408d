import FetchEngine
import FetchValues
import FetchWeb
import Testing

/// Tests of the answers for watchdogs.
@Suite struct HealthTests {
  private func body(_ response: WebResponse) -> String {
    String(decoding: response.bytes ?? [], as: UTF8.self)
  }

  private func report(_ change: (inout OverviewLine) -> Void = { _ in }) -> HealthReport {
    var overview = MetricsSample.overview
    change(&overview)
    return HealthReport(storeFailure: nil, overview: overview, daemonFailure: nil)
  }

  @Test func `all is well, also with jobs that fail`() {
    let report = report { $0.broken = 9 }
    #expect(report.status == .ok)
    #expect(report.readiness.status == 200 && body(report.readiness) == "ready\n")
    let health = report.health(withDetails: true)
    #expect(health.status == 200)
    #expect(
      body(health) == """
        {"status":"ok","checks":{"store":"ok","daemon":"ok","disk":"ok","schedule":"ok",\
        "deliveries":"ok","network":"ok","pause":"ok"},"details":{}}

        """)
  }

  @Test func `what needs attention is named, in words only without a token`() {
    let report = report { overview in
      overview.overdue = .seconds(400)
      overview.deadDeliveries = 2
      overview.offlineSince = MetricsSample.start
      overview.pausedSince = MetricsSample.start
      overview.storeTrouble = "the disk is full"
    }
    #expect(report.status == .degraded && report.readiness.status == 200)
    #expect(report.health(withDetails: true).status == 200)
    let details = body(report.health(withDetails: true))
    for sentence in [
      "the disk is full", "a job has been due for 6m40s although nothing prevents its run",
      "2 deliveries given up", "offline since 2026-11-20T00:00:00Z",
      "all jobs paused since 2026-11-20T00:00:00Z",
    ] { #expect(details.contains("\"\(sentence)\""), "\(sentence)") }
    let words = body(report.health(withDetails: false))
    #expect(!words.contains("details") && !words.contains("disk is full"))
    #expect(words.contains("\"schedule\":\"degraded\""))
  }

  @Test(
    arguments: [
      ("the disk is gone", nil, "the store cannot be read\n"),
      (nil, "no daemon listens", "the daemon is not running or gave no usable answer\n"),
      (
        "x", "y",
        "the store cannot be read\nthe daemon is not running or gave no usable answer\n"
      ),
    ] as [(String?, String?, String)])
  func `a missing store or daemon is down, and readiness says which`(
    store: String?, daemon: String?, text: String
  ) {
    let report = HealthReport(
      storeFailure: store, overview: daemon == nil ? MetricsSample.overview : nil,
      daemonFailure: daemon)
    #expect(report.status == .down)
    #expect(report.health(withDetails: false).status == 503)
    #expect(report.readiness.status == 503 && body(report.readiness) == text)
  }
}
