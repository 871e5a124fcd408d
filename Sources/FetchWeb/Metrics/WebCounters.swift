package import FetchModel
import Synchronization

/// The counters of the web process for `/metrics`. The process counts all of them itself, except
/// `subscriptions` and `pushMissed`, which come from the daemon.
package struct WebCounters: Hashable, Sendable {
  /// The counters of the requests to a route.
  package struct Route: Hashable, Sendable {
    /// The number of answers with each status code.
    package var codes: [Int: Int] = [:]
    package var seconds = Histogram(bounds: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10])
  }

  /// The counters by the template of the route's path, such as `/api/v1/jobs/{job}`. A path that a
  /// client sent is never a key.
  package var routes: [String: Route] = [:]
  package var eventStreams = 0
  /// The number of requests that report new content, by kind and by result.
  package var pushes: [String: [String: Int]] = [:]
  /// The number of subscriptions at hubs in each state. Nil if it is unknown, or if the caller may
  /// not see all jobs.
  package var subscriptions: [String: Int]?
  package var pushMissed: Int?

  package init() {}

  func add(to writer: inout MetricsWriter) {
    for (state, count) in (subscriptions ?? [:]).sorted(by: { $0.key < $1.key }) {
      writer.add(.subscriptions, [("state", state)], count)
    }
    for (kind, results) in pushes.sorted(by: { $0.key < $1.key }) {
      for (result, count) in results.sorted(by: { $0.key < $1.key }) {
        writer.add(.pushes, [("kind", kind), ("result", result)], count)
      }
    }
    if let pushMissed { writer.add(.pushMissed, [], pushMissed) }
    let routes = routes.sorted { $0.key < $1.key }
    for (path, route) in routes {
      for (code, count) in route.codes.sorted(by: { $0.key < $1.key }) {
        writer.add(.httpRequests, [("route", path), ("code", "\(code)")], count)
      }
    }
    for (path, route) in routes { writer.add(.httpSeconds, [("route", path)], route.seconds) }
    writer.add(.eventStreams, [], eventStreams)
  }
}

/// The counters of a web process. All threads of the process may use the counters.
package final class WebMetrics: Sendable {
  private let state = Mutex(WebCounters())

  package init() {}

  package var counters: WebCounters { state.withLock { $0 } }

  /// Counts an answer. `route` is the template of a route's path, never a path that a client sent.
  package func answered(_ route: String, code: Int, in duration: Duration) {
    state.withLock { state in
      state.routes[route, default: WebCounters.Route()].codes[code, default: 0] += 1
      state.routes[route]?.seconds.add(duration)
    }
  }

  /// Adds `change` to the number of open streams. When a stream ends, `change` is negative.
  package func streamsChanged(by change: Int) {
    state.withLock { $0.eventStreams = max(0, $0.eventStreams + change) }
  }

  /// Counts a request that reports new content.
  package func pushed(_ kind: String, _ result: String) {
    state.withLock { $0.pushes[kind, default: [:]][result, default: 0] += 1 }
  }
}
