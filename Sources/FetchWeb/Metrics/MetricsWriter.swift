import FetchModel
import FetchValues

/// The text of metrics, one metric after another. A metric without a sample is left out.
struct MetricsWriter: Sendable {
  typealias Labels = [(String, String)]

  private let format: MetricsFormat
  private var bytes: [UInt8] = []
  /// The metric whose `HELP` and `TYPE` lines were written last.
  private var family: MetricDefinition?

  init(_ format: MetricsFormat) { self.format = format }

  // MARK: Samples

  /// Writes a sample with a whole number. The caller must write all samples of one metric one after
  /// another.
  mutating func add(_ metric: MetricDefinition, _ labels: Labels = [], _ value: Int64) {
    begin(metric)
    line(metric, Self.suffix(metric.kind), labels, "\(value)")
  }

  mutating func add(_ metric: MetricDefinition, _ labels: Labels = [], _ value: Int) {
    add(metric, labels, Int64(value))
  }

  mutating func add(_ metric: MetricDefinition, _ labels: Labels = [], _ value: Double) {
    begin(metric)
    line(metric, Self.suffix(metric.kind), labels, Self.text(value))
  }

  mutating func add(_ metric: MetricDefinition, _ labels: Labels = [], _ value: Bool) {
    add(metric, labels, value ? 1 : 0 as Int64)
  }

  /// Writes a sample with a time in seconds since 1970; writes nothing if the time is nil.
  mutating func add(_ metric: MetricDefinition, _ labels: Labels = [], _ time: Timestamp?) {
    if let time { add(metric, labels, time.unixSeconds) }
  }

  mutating func add(_ metric: MetricDefinition, _ labels: Labels = [], _ histogram: Histogram) {
    begin(metric)
    for (bound, count) in zip(histogram.bounds + [.infinity], histogram.cumulative) {
      let le = bound.isFinite ? Self.text(bound) : "+Inf"
      line(metric, "_bucket", labels + [("le", le)], "\(count)")
    }
    line(metric, "_sum", labels, Self.text(histogram.sum))
    line(metric, "_count", labels, "\(histogram.count)")
  }

  consuming func text() -> [UInt8] {
    format == .openMetrics ? bytes + Array("# EOF\n".utf8) : bytes
  }

  // MARK: Lines

  private static func suffix(_ kind: MetricDefinition.Kind) -> String {
    switch kind {
    case .counter: "_total"
    case .info: "_info"
    case .gauge, .histogram: ""
    }
  }

  /// Writes the `HELP` and `TYPE` lines of a metric before its first sample. In OpenMetrics, these
  /// lines have the metric's name without a suffix, and `info` is a type. In the Prometheus format,
  /// the name has its suffix, and the type of an `info` metric is `gauge`.
  private mutating func begin(_ metric: MetricDefinition) {
    if metric == family { return }
    family = metric
    var (name, kind) = (metric.name, metric.kind.rawValue)
    if format == .prometheus, metric.kind != .histogram {
      name += Self.suffix(metric.kind)
      if metric.kind == .info { kind = "gauge" }
    }
    write("# HELP \(name) ")
    write(escaped: metric.help, isLabel: format == .openMetrics)
    write("\n# TYPE \(name) \(kind)\n")
  }

  private mutating func line(
    _ metric: MetricDefinition, _ suffix: String, _ labels: Labels, _ value: String
  ) {
    write(metric.name)
    write(suffix)
    if !labels.isEmpty {
      var mark = "{"
      for (name, value) in labels {
        write(mark)
        write(name)
        write("=\"")
        write(escaped: value, isLabel: true)
        write("\"")
        mark = ","
      }
      write("}")
    }
    write(" ")
    write(value)
    write("\n")
  }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes a text with escapes. Without escapes, the text could end the line or, in a label, the
  /// quotes.
  private mutating func write(escaped text: String, isLabel: Bool) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): write("\\\\")
      case UInt8(ascii: "\n"): write("\\n")
      case UInt8(ascii: "\"") where isLabel: write("\\\"")
      // Some programs read a CR as the end of a line.
      case UInt8(ascii: "\r"): write(" ")
      default: bytes.append(byte)
      }
    }
  }

  /// Returns a decimal number that is read back as the same double, such as `0.25` or `60.0`.
  /// Returns `NaN`, `+Inf` or `-Inf` for a value that is not finite.
  private static func text(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    return value.isFinite ? "\(value)" : value < 0 ? "-Inf" : "+Inf"
  }
}
