import FetchAuthoring
import FetchEngine
import Foundation
import Testing

/// Tests that the page on the shipped plugins matches their manifests.
@Suite struct ReadyPluginsTests {
  @Test func `the page is the output of fetchrun plugins --markdown after an introduction`()
    async throws
  {
    let bench = try await PluginBench()
    var sections: [String] = []
    for path in ShippedPluginTests.plugins {
      let name = String(path.split(separator: "/").last?.dropLast(4) ?? "")
      sections.append(PluginGuide(name, try await bench.shelf.plugin(named: name)).markdown)
    }
    try await bench.close()
    let file = PluginBench.top.appending(
      path: "Sources/Documentation.docc/Using/ReadyPlugins.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(page.firstRange(of: "\n## ")?.upperBound)
    #expect(
      "## " + page[start...] == sections.joined(separator: "\n"),
      "replace everything from the first '## ' on by the output of `fetchrun plugins --markdown`")
  }
}
