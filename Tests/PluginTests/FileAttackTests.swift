import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of plugins that try to leave their folder, or to use more space in the folder than
/// allowed. Each plugin is one file. The first line has the expected end of the run, after
/// `-- expect: `.
///
/// The job's folder has a link to a file outside (`link`), a link to the folder outside (`out`), a
/// FIFO (`fifo`) and a file (`file`). The folder may hold 1,000 bytes and 20 files. No attack may
/// read the text of `secret.txt`, which is outside.
@Suite struct FileAttackTests {
  static let folder = PluginBench.tests.appending(path: "FileAttacks")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".lua") }.sorted()

  private static let mark = "-- expect: "
  private static let secret = "what nobody may read"

  @Test func `the folder of attacks is not empty`() { #expect(Self.names.count >= 10) }

  @Test(arguments: names) func `an attack stays in its folder`(name: String) async throws {
    let bench = try await PluginBench()
    let outside = bench.folder.appending(path: "outside")
    let root = bench.folder.appending(path: "root")
    try prepare(root: root, outside: outside)
    let before = try tree(outside)
    let options = ValueObject([("outside", .string(outside.path))])
    var job = try await bench.job(
      Self.folder.appending(path: name).path, options: options,
      readPaths: [bench.folder.appending(path: "granted").path])
    job.files.root = root.path
    job.files.quota = FileQuota(bytes: 1_000, count: 20)
    let report = await bench.run(job)
    try await bench.close()
    let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    let expected = text.prefix { $0 != "\n" }.dropFirst(Self.mark.count)
    #expect(ending(report.record.outcome) == expected)
    #expect(try tree(outside) == before)
    for line in report.lines { #expect(!line.json.contains(Self.secret)) }
    let inside = try tree(root)
    #expect(inside.values.reduce(0) { $0 + $1.count } <= 1_000)
    #expect(inside.count <= 20)
  }

  private func ending(_ outcome: Outcome) -> String {
    switch outcome {
    case .newData: "newData"
    case .noData: "noData"
    case .failed(let failure): "\(failure.code.rawValue): \(failure.message)"
    }
  }

  private func prepare(root: URL, outside: URL) throws {
    let files = FileManager.default
    let granted = root.deletingLastPathComponent().appending(path: "granted")
    for folder in [root, outside, granted] {
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try Data(Self.secret.utf8).write(to: outside.appending(path: "secret.txt"))
    try Data("inside".utf8).write(to: root.appending(path: "file"))
    try Data("granted".utf8).write(to: granted.appending(path: "file"))
    for folder in [root, granted] {
      symlink(outside.path + "/secret.txt", folder.path + "/link")
      symlink(outside.path, folder.path + "/out")
      mkfifo(folder.path + "/fifo", 0o600)
    }
  }

  /// Returns the bytes of each regular file below a folder. Links are not followed.
  private func tree(_ folder: URL) throws -> [String: Data] {
    var tree: [String: Data] = [:]
    let keys: [URLResourceKey] = [.isRegularFileKey, .isSymbolicLinkKey]
    let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: keys)
    while let file = walk?.nextObject() as? URL {
      let values = try file.resourceValues(forKeys: Set(keys))
      guard values.isRegularFile == true, values.isSymbolicLink != true else { continue }
      tree[file.path] = try Data(contentsOf: file)
    }
    return tree
  }
}
