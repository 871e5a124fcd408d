import FetchEngine
import FetchModel
import FetchTestSupport
import Foundation
import Testing

/// One folder of recorded answers: `case.json` with the plugin's options and, for each run, what the
/// server answers; the bodies beside it; `expected.jsonl` with the item lines and the outcome of each
/// run in turn.
///
///     {"options": {"url": "{server}/feed.xml"},
///      "runs": [{"/feed.xml": {"file": "feed.xml", "headers": ["ETag: \"a\""],
///                              "wants": {"Accept": "text/html"}}}]}
///
/// `{server}` stands for the server's address, in options, headers, bodies and expected lines. An
/// answer has a status (200), headers, and a body from a file or as `body`; a request without the
/// headers that it `wants` is answered 400, one that no answer is for 404.
struct PluginCase: CustomTestStringConvertible, Sendable {
  let plugin: String
  let name: String

  var testDescription: String { "\(plugin): \(name)" }
  private var folder: URL { Self.fixtures.appending(path: plugin).appending(path: name) }
  private var expectedFile: URL { folder.appending(path: "expected.jsonl") }

  static let fixtures = PluginBench.tests.appending(path: "Fixtures")
  static let placeholder = "{server}"

  static let all: [PluginCase] = folders(in: fixtures).flatMap { plugin in
    folders(in: fixtures.appending(path: plugin)).map { PluginCase(plugin: plugin, name: $0) }
  }

  private static func folders(in folder: URL) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  func expectedLines() throws -> [String] {
    try String(contentsOf: expectedFile, encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  /// Runs all of the case on an empty store and gives its lines.
  func lines() async throws -> [String] {
    let script = try JSONReader.decode(text(of: "case.json"))
    let server = try AnswerServer()
    defer { server.stop() }
    let options = Self.filled(script["options"] ?? .null, server.url).objectValue ?? ValueObject()
    let bench = try await PluginBench()
    let job = try await bench.job(plugin, options: options)
    var lines: [String] = []
    for run in script["runs"]?.arrayValue ?? [] {
      server.play(try answers(of: run, server.url))
      let report = await bench.run(job)
      lines += try report.lines.map { try itemLine($0) } + [runLine(report, server.asked)]
    }
    try await bench.close()
    return lines.map { $0.replacing(server.url, with: Self.placeholder) }
  }

  /// Writes what came as what is expected from now on.
  func record(_ lines: [String]) throws {
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: expectedFile)
  }

  // MARK: What the server answers

  private func answers(of run: Value, _ address: String) throws -> [AnswerServer.Answer] {
    try (run.objectValue?.members ?? []).map { path, value in
      let value = Self.filled(value, address)
      let body = try value["file"]?.stringValue.map { try bytes(of: $0, address) }
      return AnswerServer.Answer(
        path: path, status: Int(value["status"]?.integerValue ?? 200),
        headers: (value["headers"]?.arrayValue ?? []).compactMap(\.stringValue),
        body: body ?? Array((value["body"]?.stringValue ?? "").utf8),
        wants: (value["wants"]?.objectValue?.members ?? []).map {
          ($0.key, $0.value.stringValue ?? "")
        })
    }
  }

  private static func filled(_ value: Value, _ address: String) -> Value {
    switch value {
    case .string(let text): .string(text.replacing(placeholder, with: address))
    case .array(let list): .array(list.map { filled($0, address) })
    case .object(let object):
      .object(ValueObject(object.members.map { ($0.key, filled($0.value, address)) }))
    default: value
    }
  }

  private func text(of file: String) throws -> String {
    try String(contentsOf: folder.appending(path: file), encoding: .utf8)
  }

  /// A file that is not UTF-8 is sent as it stands.
  private func bytes(of file: String, _ address: String) throws -> [UInt8] {
    let data = try Data(contentsOf: folder.appending(path: file))
    guard let text = String(data: data, encoding: .utf8) else { return Array(data) }
    return Array(text.replacing(Self.placeholder, with: address).utf8)
  }

  // MARK: Lines

  /// The line of `--json` without what differs from run to run, its keys in order: Lua gives the
  /// fields of a table in any order.
  private func itemLine(_ item: StoredItem) throws -> String {
    let members = try JSONReader.decode(item.json).objectValue?.members ?? []
    let kept = members.filter { !["sequence", "seenAt", "job"].contains($0.key) }
    return try JSONWriter.text(
      .object(ValueObject(kept.map { ($0.key, $0.value) })), options: .init(sortsKeys: true))
  }

  private func runLine(_ report: RunReport, _ asked: [String]) -> String {
    let counts = report.record.outcome.counts
    let asked = asked.joined(separator: " ")
    switch report.record.outcome {
    case .newData:
      return "newData +\(counts.added) ~\(counts.updated) -\(counts.removed) after \(asked)"
    case .noData(let reason): return "noData \(reason.rawValue) after \(asked)"
    case .failed(let failure):
      let place = failure.file.map { " (\($0))" } ?? ""
      return "failed \(failure.code.rawValue): \(failure.message)\(place) after \(asked)"
    }
  }
}
