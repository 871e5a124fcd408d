package import FetchEngine
import FetchValues

/// The state of the service, for watchdogs and for people. A failing job never makes the service
/// unready.
package struct HealthReport: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable, CaseIterable {
    case ok
    case degraded
    case down
  }

  package struct Check: Hashable, Sendable {
    package var name: String
    package var status: Status
    /// A text about the problem; nil if there is no problem.
    package var detail: String?

    package init(_ name: String, _ status: Status = .ok, _ detail: String? = nil) {
      self.name = name
      self.status = status
      self.detail = detail
    }
  }

  package let checks: [Check]

  /// The maximum time for which a job may be due although nothing prevents its run. After this
  /// time, the service is degraded.
  package static let overdueMax: Duration = .seconds(300)

  /// Creates the report.
  ///
  /// - Parameters:
  ///   - storeFailure: the reason why the store could not be read; nil if it was read.
  ///   - overview: the daemon's overview; nil if the daemon did not answer, or if its answer cannot
  ///     be read.
  ///   - daemonFailure: the reason why `overview` is nil. The reason is ignored if there is an
  ///     overview of a running daemon.
  package init(storeFailure: String?, overview: OverviewLine?, daemonFailure: String?) {
    var checks = [Self.check("store", .down, storeFailure)]
    guard let overview, overview.isServed else {
      self.checks = checks + [Check("daemon", .down, daemonFailure ?? "no daemon answers")]
      return
    }
    checks.append(Check("daemon"))
    checks.append(Self.check("disk", .degraded, overview.storeTrouble))
    let overdue = overview.overdue > Self.overdueMax ? overview.overdue : nil
    checks.append(
      Self.check(
        "schedule", .degraded,
        overdue.map { "a job has been due for \($0.shortText) although nothing prevents its run" }))
    let dead = overview.deadDeliveries
    checks.append(
      Self.check(
        "deliveries", .degraded,
        dead > 0 ? "\(dead) \(dead == 1 ? "delivery" : "deliveries") given up" : nil))
    checks.append(
      Self.check(
        "network", .degraded,
        overview.offlineSince.map { "offline since \($0.descriptionInSeconds)" }))
    checks.append(
      Self.check(
        "pause", .degraded,
        overview.pausedSince.map { "all jobs paused since \($0.descriptionInSeconds)" }))
    self.checks = checks
  }

  private static func check(_ name: String, _ status: Status, _ detail: String?) -> Check {
    detail == nil ? Check(name) : Check(name, status, detail)
  }

  /// The worst status of all checks.
  package var status: Status {
    let statuses = Set(checks.map(\.status))
    return statuses.contains(.down) ? .down : statuses.contains(.degraded) ? .degraded : .ok
  }

  /// Returns the answer to `/healthz`. Without details, the answer has only the status of the
  /// service and the status of each check.
  package func health(withDetails: Bool) -> WebResponse {
    var line = JSONLine()
    line.member("status", status.rawValue)
    line.member("checks", literal: Self.object(checks.map { ($0.name, $0.status.rawValue) }))
    if withDetails {
      let details = checks.compactMap { check in check.detail.map { (check.name, $0) } }
      line.member("details", literal: Self.object(details))
    }
    return WebResponse(
      status == .down ? 503 : 200, type: WebMedia.json, line.closed() + "\n")
  }

  private static func object(_ members: [(String, String)]) -> String {
    var line = JSONLine()
    for (name, value) in members { line.member(name, value) }
    return line.closed()
  }

  /// The answer to `/readyz`: 200 if no check is down; otherwise 503, with a line for each check
  /// that is down.
  package var readiness: WebResponse {
    let failed = checks.filter { $0.status == .down }.map(\.name)
    if failed.isEmpty { return WebResponse(type: WebMedia.text, "ready\n") }
    let lines = failed.map { name in
      name == "store"
        ? "the store cannot be read" : "the daemon is not running or gave no usable answer"
    }
    return WebResponse(503, type: WebMedia.text, lines.joined(separator: "\n") + "\n")
  }
}
