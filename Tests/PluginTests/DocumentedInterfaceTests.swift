import FetchEngine
import FetchModel
import FetchSandbox
import FetchValues
import Foundation
import Testing

/// Tests that the pages for plugin authors match the code.
@Suite struct DocumentedInterfaceTests {
  static let page = text("Sources/Documentation.docc/Reference/PluginInterface.md")
  static let guide = text("Sources/Documentation.docc/Using/WritingPlugins.md")
  static let readme = text("README.md")

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: PluginBench.top.appending(path: path), encoding: .utf8)) ?? ""
  }

  @Test(arguments: LibraryRegistry.all.map(\.name).filter { !$0.contains("._") })
  func `the page has every library function`(name: String) {
    #expect(Self.page.contains(name))
  }

  @Test(arguments: ManifestReader.topKeys.filter { $0 != "functions" })
  func `the page has every key of a manifest`(key: String) {
    #expect(Self.page.contains("`\(key)`"))
  }

  @Test(arguments: ManifestReader.optionKeys + OptionKind.allCases.map(\.rawValue))
  func `the page has every key and type of an option`(key: String) {
    #expect(Self.page.contains("| `\(key)` |"))
  }

  @Test(arguments: ManifestReader.itemKeys) func `the page has every rule of items`(key: String) {
    #expect(Self.page.contains("| `items.\(key)` |"))
  }

  @Test func `the page has every name that a plugin can use`() async throws {
    let names = try await Explorer.names().map { name in
      for prefix in ["response.", "_G."] where name.hasPrefix(prefix) {
        return "`\(name.dropFirst(prefix.count))`"
      }
      return name
    }
    #expect(names.count > 100)
    let missing = names.filter { !Self.page.contains($0) }
    #expect(missing.isEmpty)
  }

  /// The Lua blocks that return a complete manifest.
  static let wholePlugins = (page + guide + readme).split(separator: "```lua\n").dropFirst()
    .map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex)) }
    .filter { $0.contains("api = 1") }

  @Test func `the page and the README have complete plugins`() {
    #expect(Self.wholePlugins.count >= 4)
  }

  @Test func `the guide's first plugin has the described result`() async throws {
    let text = try #require(Self.wholePlugins.first { $0.contains("name = \"primer\"") })
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "primer.lua")
    try Data(text.utf8).write(to: file)
    let first = await bench.run(try await bench.job(file.path))
    #expect(first.lines.map(\.key.text).sorted() == ["Aurora", "Meridian"])
    #expect(first.logs.map(\.message) == ["found 2"])
    let second = await bench.run(try await bench.job(file.path))
    #expect(second.record.outcome == .noData(.sameItems))
    try await bench.close()
  }

  @Test(arguments: wholePlugins) func `check finds no mistake in a complete plugin`(text: String)
    async throws
  {
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "shown.lua")
    try Data(text.utf8).write(to: file)
    let plugin = try await bench.shelf.plugin(named: file.path)
    try await bench.close()
    #expect(!plugin.manifest.name.isEmpty)
  }
}
