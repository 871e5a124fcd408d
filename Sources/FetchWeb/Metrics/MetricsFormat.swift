/// The text formats of `/metrics`. Prometheus reads both.
package enum MetricsFormat: Hashable, Sendable {
  /// Prometheus text format 0.0.4.
  case prometheus
  /// OpenMetrics 1.0.0: https://github.com/prometheus/OpenMetrics, specification/OpenMetrics.md.
  case openMetrics

  package var mediaType: String {
    switch self {
    case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    }
  }

  /// Selects OpenMetrics if the client's `Accept` header names it without `q=0`, otherwise the
  /// Prometheus text format.
  package init(accept: String?) {
    let ranges = (accept ?? "").split(separator: ",")
    let isWanted = ranges.contains { range in
      let parts = range.split(separator: ";").map { part in
        part.drop { $0 == " " || $0 == "\t" }.lowercased()
      }
      guard parts.first?.hasPrefix("application/openmetrics-text") == true else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0 }
    }
    self = isWanted ? .openMetrics : .prometheus
  }
}
