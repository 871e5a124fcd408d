import FeedConformance
import Foundation
import Testing

/// Tests of the feed parser with public test suites, if they are available. The folder in
/// `FETCHRUN_CONFORMANCE` has `feeds/` with `cases.jsonl`, `inputs.zip` and `score.py`.
@Suite struct FeedConformanceTests {
  static let folder = ProcessInfo.processInfo.environment["FETCHRUN_CONFORMANCE"].map {
    URL(filePath: $0).appending(path: "feeds")
  }

  /// The minimum percentage of passed checks for each set.
  static let required = [
    "wellformed": 99.0, "validator": 99.0, "encoding": 97.0, "illformed": 97.0,
  ]

  @Test(.enabled(if: folder != nil, "FETCHRUN_CONFORMANCE names no folder"))
  func `feeds of public test suites are read as their authors expect`() throws {
    let folder = try #require(Self.folder)
    let work = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: work) }
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    let output = try FeedConformance.output(folder: folder)
    try output.write(to: work.appending(path: "out.jsonl"))
    let scores = work.appending(path: "scores.json")
    try FeedConformance.python([
      folder.appending(path: "score.py").path, work.appending(path: "out.jsonl").path,
      "--public", "--json", scores.path,
    ])
    try check(JSONDecoder().decode(Scores.self, from: Data(contentsOf: scores)))
  }

  private func check(_ scores: Scores) {
    for (name, percent) in Self.required {
      let reached = 100 * (scores.sets[name]?.core ?? 0)
      #expect(reached >= percent, "\(name): \(reached) %")
    }
    #expect(scores.rejects.first == scores.rejects.last, "text that is not a feed must be refused")
    #expect(scores.missing == 0)
  }

  private struct Scores: Decodable {
    struct Set: Decodable { var core: Double? }
    var sets: [String: Set]
    var rejects: [Int]
    var missing: Int
  }
}
