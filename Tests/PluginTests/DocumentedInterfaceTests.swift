import FetchEngine
import FetchModel
import FetchSandbox
import FetchTestSupport
import Foundation
import Testing

/// Holds the page for plugin authors against the code.
@Suite struct DocumentedInterfaceTests {
  static let page = text("Sources/FetchEngine/Documentation.docc/PluginInterface.md")
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

  @Test(arguments: ManifestReader.itemKeys) func `the page has every items rule`(key: String) {
    #expect(Self.page.contains("| `items.\(key)` |"))
  }

  /// Lists, as items, all that a plugin finds in its world.
  private static let explorer = """
    local http, html = require "http", require "html"

    return {
      api = 1, name = "explorer", version = "1.0.0",
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        local function list(prefix, names)
          for name in pairs(names) do ctx:emit { id = prefix .. name } end
        end
        local _, message = pcall(require, "no such module")
        for module in message:match("there are (.*)"):gmatch("%w+") do
          list(module .. ".", require(module))
        end
        for name in pairs(ctx) do
          ctx:emit { id = "ctx" .. (type(ctx[name]) == "function" and ":" or ".") .. name }
        end
        list("node:", getmetatable(html.parse("<p>text</p>")).__index)
        for name in pairs((http.get(ctx.options.url))) do ctx:emit { id = "`" .. name .. "`" } end
        for name in pairs(_G) do if name ~= "_G" then ctx:emit { id = "`" .. name .. "`" } end end
      end,
    }
    """

  @Test func `the page has all that a plugin finds in its world`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "explorer.lua")
    try Data(Self.explorer.utf8).write(to: file)
    let options = ValueObject([("url", .string(server.url + "/"))])
    let report = await bench.run(try await bench.job(file.path, options: options))
    try await bench.close()
    #expect(report.record.outcome.failure == nil)
    let names = report.lines.map(\.key.text)
    #expect(names.count > 100)
    let missing = names.filter { !Self.page.contains($0) }
    #expect(missing.isEmpty)
  }

  /// Each block of Lua that returns a manifest.
  static let wholePlugins = (page + readme).split(separator: "```lua\n").dropFirst()
    .map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex)) }
    .filter { $0.contains("api = 1") }

  @Test func `there are whole plugins on the page and in the README`() {
    #expect(Self.wholePlugins.count >= 3)
  }

  @Test(arguments: wholePlugins) func `a whole plugin is right`(text: String) async throws {
    let bench = try await PluginBench()
    let shipped = PluginBench.top.appending(path: "plugins/rss.lua")
    try FileManager.default.copyItem(at: shipped, to: bench.folder.appending(path: "rss.lua"))
    let file = bench.folder.appending(path: "shown.lua")
    try Data(text.utf8).write(to: file)
    let plugin = try await bench.shelf.plugin(named: file.path)
    try await bench.close()
    #expect(!plugin.manifest.name.isEmpty)
  }
}
