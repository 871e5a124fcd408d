/// The two text formats that Prometheus reads.
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

  /// Returns the format that a client prefers by its `Accept` header: OpenMetrics if it is named,
  /// and not refused by `q=0`. A client that prefers both equally gets it, as Prometheus' own
  /// library does.
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
