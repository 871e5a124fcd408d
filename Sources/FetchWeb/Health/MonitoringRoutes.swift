import FetchConfig
import FetchEngine
import FetchStore
import FetchValues

/// The addresses for monitoring systems and watchdogs.
package enum MonitoringRoutes {
  package static let all = [metrics, ready, health]

  static let metrics = Route(
    "GET", "/metrics", .other, needs: .scopeUnlessOpen(.metrics, .metrics),
    answer: .text(MetricsFormat.prometheus.mediaType),
    "Returns the metrics in Prometheus text format 0.0.4, or in OpenMetrics 1.0.0 on request"
  ) { request, context in
    let format = MetricsFormat(accept: request.headers.first("Accept"))
    let page = await read(context, request.caller)
    var response = WebResponse(type: format.mediaType, "")
    response.body = .bytes(page.text(format))
    return response
  }

  static let ready = Route(
    "GET", "/readyz", .other, needs: .nothing, answer: .text(WebMedia.text),
    problems: [],
    "Answers 200 while the store can be read and the daemon gives a usable answer within a second,"
      + " otherwise 503"
  ) { _, context in await report(context).readiness }

  static let health = Route(
    "GET", "/healthz", .other, needs: .scopeUnlessOpen(.read, .health),
    answer: .text(WebMedia.json),
    "Returns the health of each part of the service, with explanations if the caller has the scope"
      + " `read`"
  ) { request, context in
    await report(context).health(withDetails: request.caller.may(.read))
  }

  /// The time limit for the daemon's answer in a health check. The time begins when the request is
  /// sent, so a wait for other health checks is not included.
  static let patience: Duration = .seconds(1)

  static func report(_ context: WebContext) async -> HealthReport {
    let storeFailure = await context.store.failure()
    do throws(WebProblem) {
      let lines = try await context.control.checkLines(.overview, timeout: patience)
      return HealthReport(
        storeFailure: storeFailure, overview: lines.first.flatMap(OverviewLine.init),
        daemonFailure:
          "the daemon's answer cannot be read: restart the daemon if its version differs from"
          + " this program's")
    } catch {
      return HealthReport(
        storeFailure: storeFailure, overview: nil, daemonFailure: error.detail)
    }
  }

  private static func read(_ context: WebContext, _ caller: Caller) async -> MetricsPage {
    let series: MetricsSeries =
      switch context.access.settings.metricsJobs {
      case .first(let count): .first(count)
      case .named(let names): names.isEmpty ? .first(0) : .named(names.map { JobName($0) })
      }
    var page = MetricsPage()
    if let lines = try? await context.control.lines(.metrics(series)) {
      page = MetricsPage(lines: lines)
      page.jobs.removeAll { !caller.sees($0.job) }
    }
    if page.daemon == nil {
      page.stored = try? await context.store.read { view throws(StoreError) in
        try await view.queries.overview(disabled: context.disabledJobs)
      }
    }
    page.web = context.metrics.counters
    page.hasTotals = caller.seesAllJobs
    if page.hasTotals {
      page.web.subscriptions = page.daemon?.subscriptions
      page.web.pushMissed = page.daemon?.pushMissed
    }
    return page
  }
}
