import FetchEngine
import FetchModel
import FetchValues
import Foundation
import Testing

/// Tests of the mistakes of plugin authors. Each mistake is one file with its exact message, which
/// says what is wrong, where, and what to do. The first lines of each file are the expected
/// message, after `-- expect: `. In a run, the traceback follows the message.
@Suite struct MistakeTests {
  static let folder = PluginBench.tests.appending(path: "Mistakes")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".lua") }.sorted()

  private static let mark = "-- expect: "

  /// Whether the tests write the actual messages to the files as the expected messages:
  /// `FETCHRUN_RECORD=1 swift test --filter MistakeTests`. Read the difference before you commit
  /// it.
  private static let records = ProcessInfo.processInfo.environment["FETCHRUN_RECORD"] == "1"

  @Test func `the folder of mistakes is not empty`() { #expect(Self.names.count > 30) }

  @Test(arguments: names) func `a mistake has the expected message`(_ name: String) async throws {
    let file = Self.folder.appending(path: name)
    let found = try await Self.explanation(of: file.path)
    if Self.records { try Self.record(found, in: file) }
    let text = try String(contentsOf: file, encoding: .utf8)
    let expected = text.split(separator: "\n").prefix { $0.hasPrefix(Self.mark) }
      .map { String($0.dropFirst(Self.mark.count)) }
    #expect(found == expected)
  }

  /// Returns the output of `check`, or the end of a run if the check finds no mistake.
  private static func explanation(of path: String) async throws -> [String] {
    let bench = try await PluginBench(environment: ["SECRET": "s3cret-t0ken"])
    do {
      let asked = try await bench.shelf.plugin(named: path).manifest.permissions.secrets
      let job = try await bench.job(
        path,
        secrets: asked.map { GivenSecret(name: $0.name, source: .environment("SECRET")) })
      let outcome = await bench.run(job).record.outcome
      try await bench.close()
      guard let failure = outcome.failure else { return ["the run did not fail"] }
      let place = failure.file.map { "\($0):\(failure.line.map { "\($0): " } ?? " ")" } ?? ""
      return ["\(place)\(failure.code.rawValue): \(failure.message)"] + failure.traceback
    } catch let problems as PluginProblems {
      return problems.all.map { $0.description.replacing(folder.path + "/", with: "") }
    }
  }

  private static func record(_ found: [String], in file: URL) throws {
    let lines = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let plugin = lines.drop { $0.hasPrefix(mark) }
    let text = (found.map { mark + $0 } + plugin).joined(separator: "\n")
    try Data(text.utf8).write(to: file)
  }
}
