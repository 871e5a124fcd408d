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

  /// Selects the format by the `Accept` header of a client. The format is OpenMetrics if the header
  /// names it without `q=0`, otherwise the Prometheus text format. A client that accepts both
  /// formats gets OpenMetrics.
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
