import FetchAuthoring
import FetchEngine
import Foundation
import Testing

/// Tests of every shipped plugin with its recorded cases, as by `fetchrun test plugins/*.lua`.
@Suite struct ShippedPluginTests {
  /// A recorded case, identified by the plugin's file and the case's name.
  struct Recorded: CustomTestStringConvertible, Sendable {
    var plugin: String
    var folder: CaseFolder
    var testDescription: String { "\(plugin): \(folder.name)" }
  }

  static let plugins: [String] = {
    let folder = PluginBench.top.appending(path: "plugins").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".lua") }.sorted().map { folder + "/" + $0 }
  }()

  static let cases = plugins.flatMap { plugin in
    CaseFolder.all(ofPlugin: plugin).map { Recorded(plugin: plugin, folder: $0) }
  }

  @Test(arguments: plugins) func `each shipped plugin has cases`(plugin: String) {
    #expect(!CaseFolder.all(ofPlugin: plugin).isEmpty)
  }

  @Test(arguments: cases)
  func `recorded answers give the expected items and outcomes`(_ recorded: Recorded) async throws {
    let bench = try await PluginBench()
    let plugin = try await bench.shelf.plugin(named: recorded.plugin)
    let result = await PluginTest(workers: bench.workers).result(of: recorded.folder, plugin)
    try await bench.close()
    #expect(result.verdict == .passed, "\(result.problems.joined(separator: "\n"))\n\(result.diff)")
  }
}
