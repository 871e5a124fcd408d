import FetchValues
import FetchWeb
import Foundation
import Testing

/// Tests of the metrics and of the examples for Prometheus and Grafana. Some checks need
/// Prometheus' own tool promtool, from the Debian package `prometheus`.
@Suite struct MonitoringExampleTests {
  private static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let rules = top.appending(path: "examples/prometheus")

  /// Runs promtool. Returns the exit status and the output.
  private func run(_ words: [String], input: [UInt8] = []) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Promtool.path))
    process.arguments = words
    let (input, bytes) = (Pipe(), Data(input))
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    // The text is smaller than a pipe's buffer.
    input.fileHandleForWriting.write(bytes)
    try input.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  @Test(.enabled(if: Promtool.path != nil, "install Debian's package prometheus"))
  func `promtool finds nothing wrong with the metrics`() throws {
    let bytes = MetricsSample.page.text(.prometheus)
    #expect(bytes.count < 60_000)
    let (status, output) = try run(["check", "metrics"], input: bytes)
    #expect(status == 0 && output == "", "\(output)")
  }

  @Test(.enabled(if: Promtool.path != nil, "install Debian's package prometheus"))
  func `promtool accepts the alerts and their tests`() throws {
    for (verb, file) in [
      ("check", "fetchrun.rules.yml"), ("test", "fetchrun.rules.test.yml"),
    ] {
      let path = Self.rules.appending(path: file).path
      let (status, output) = try run([verb, "rules", path])
      #expect(status == 0, "\(output)")
    }
  }

  /// Returns the names of metrics in a query.
  private func names(_ query: String) -> Set<String> {
    Set(query.matches(of: /fetchrun_[a-z_]+/).map { String($0.output) })
  }

  private static let existing = Set(MetricDefinition.all.flatMap(\.seriesNames))

  @Test func `each query of the dashboard names existing metrics`() throws {
    let file = Self.top.appending(path: "examples/grafana/fetchrun.json")
    let dashboard = try JSONReader.decode(Array(Data(contentsOf: file)))
    let panels = try #require(dashboard["panels"]?.arrayValue)
    var queries: [String] = []
    for panel in panels {
      #expect(panel["datasource"]?["uid"]?.stringValue == "${source}")
      queries += (panel["targets"]?.arrayValue ?? []).compactMap { $0["expr"]?.stringValue }
    }
    #expect(queries.count > 25)
    for query in queries {
      #expect(!names(query).isEmpty, "\(query)")
      #expect(names(query).subtracting(Self.existing).isEmpty, "\(query)")
    }
    if Promtool.path != nil { try check(queries) }
  }

  /// Checks with promtool that it can read the queries, as expressions of alerts.
  private func check(_ queries: [String]) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-queries-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let rules = queries.enumerated().map { number, query in
      "{ alert: Q\(number), expr: '\(query.replacing("'", with: "''"))' }"
    }
    let file = folder.appending(path: "queries.yml")
    try Data("groups: [{ name: queries, rules: [\(rules.joined(separator: ", "))] }]".utf8)
      .write(to: file)
    let (status, output) = try run(["check", "rules", file.path])
    #expect(status == 0, "\(output)")
  }

  @Test func `each alert names existing metrics and has a test`() throws {
    let text = try String(
      contentsOf: Self.rules.appending(path: "fetchrun.rules.yml"), encoding: .utf8)
    let queries = text.matches(of: /expr: '(.*)'/).map { String($0.output.1) }
    #expect(queries.count == 8)
    for query in queries { #expect(names(query).subtracting(Self.existing).isEmpty, "\(query)") }
    let tests = try String(
      contentsOf: Self.rules.appending(path: "fetchrun.rules.test.yml"), encoding: .utf8)
    for alert in text.matches(of: /alert: ([A-Za-z]+)/).map({ String($0.output.1) }) {
      #expect(tests.contains("alertname: \(alert)\n        exp_alerts:"), "\(alert)")
    }
  }
}

/// Prometheus' tool for checks, if it is installed.
private enum Promtool {
  static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/promtool" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
