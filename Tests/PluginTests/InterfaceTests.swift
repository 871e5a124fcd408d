import FetchEngine
import FetchModel
import FetchValues
import Foundation
import LuaVM
import Testing

/// Tests that the description of the plugin interface matches the sandbox, the page and the stubs.
/// A new part of the interface belongs in `Sources/FetchEngine/Interface`. `fetchrun schema
/// --interface` then prints the tables of the page.
@Suite struct InterfaceTests {
  static let page = DocumentedInterfaceTests.page

  @Test func `the description has exactly the names that a plugin can use`() async throws {
    let found = try await Explorer.names()
    let globals = found.filter { $0.hasPrefix("_G.") }
    #expect(Set(globals.map { String($0.dropFirst(3)) }) == Set(PluginInterface.globals))
    // The keys of a plugin's table are not names that a plugin uses.
    let written = PluginInterface.names.filter { !$0.hasPrefix("items.") }
    #expect(found.subtracting(globals).subtracting(written) == [])
    #expect(written.subtracting(found) == [])
  }

  @Test func `the description has the keys that the reader of manifests accepts`() {
    let keys = ManifestReader.topKeys.filter { $0 != "functions" } + ManifestReader.functionNames
    #expect(PluginInterface.keys(of: "fetchrun.Plugin").sorted() == keys.sorted())
    #expect(
      PluginInterface.keys(of: "fetchrun.Option").sorted() == ManifestReader.optionKeys.sorted())
    #expect(
      PluginInterface.keys(of: "fetchrun.ItemRules").sorted() == ManifestReader.itemKeys.sorted())
    #expect(
      PluginInterface.keys(of: "fetchrun.SecretPermission").sorted()
        == ManifestReader.secretKeys.sorted())
  }

  @Test(arguments: InterfaceTables.all.indices) func `the page has each table unchanged`(index: Int)
    throws
  {
    let (title, table) = InterfaceTables.all[index]
    try Self.expect(table, under: title, on: Self.page)
  }

  /// Checks that a page's section contains the table that the code generates.
  static func expect(_ table: String, under title: String, on page: String) throws {
    let start = try #require(
      ["## ", "### "].lazy.compactMap { page.range(of: "\n\($0)\(title)\n") }.first,
      "the page has no heading \(title)")
    let section = "\n" + page[start.upperBound...].components(separatedBy: "\n## ")[0]
    #expect(
      section.contains("\n\n" + table + "\n"),
      "under \(title), write:\n\(table)\n(fetchrun schema --interface prints all tables)")
  }

  @Test(arguments: InterfaceStubs.files.map(\.name)) func `a stub is Lua`(name: String) throws {
    let text = try #require(InterfaceStubs.files.first { $0.name == name }?.text)
    #expect(text.hasPrefix(InterfaceStubs.mark))
    _ = try LuaChunk.compile(name: name, source: text.utf8)
  }

  /// Returns the names that stubs define: functions of modules, and fields and methods of classes.
  private static func stubbed(_ text: String, _ file: String) -> Set<String> {
    let values = [
      "fetchrun.Context": "ctx", "fetchrun.Response": "response", "fetchrun.Node": "node",
      "fetchrun.ItemRules": "items",
    ]
    var names: Set<String> = []
    var owner: String?
    for line in text.split(separator: "\n") {
      if let match = line.wholeMatch(of: /---@class (\S+?):?( .*)?/) {
        let name = String(match.1)
        owner = file == "plugin.lua" ? values[name] : String(name.dropFirst("fetchrun.".count))
      } else if let match = line.firstMatch(of: /^---@field (\w+)\?? (fun\(self)?/), let owner {
        names.insert("\(owner)\(match.2 == nil ? "." : ":")\(match.1)")
      } else if let match = line.firstMatch(of: /^function (\w+)\.(\w+)\(/) {
        names.insert("\(match.1).\(match.2)")
      }
    }
    return names
  }

  @Test func `the stubs have exactly the same names`() {
    let stubbed = InterfaceStubs.files.reduce(into: Set<String>()) {
      $0.formUnion(Self.stubbed($1.text, $1.name))
    }
    #expect(stubbed == PluginInterface.names)
  }

  @Test func `a function's stub has its parameters and results`() throws {
    let json = try #require(InterfaceStubs.files.first { $0.name == "json.lua" }?.text)
    #expect(json.hasPrefix("---@meta json\n"))
    #expect(
      json.contains(
        """
        ---the value, `json.null` for `null`; `nil, message` with line and column
        ---Example: `json.decode('[1,2]')[1]` is `1`
        ---@param text string
        ---@return any value
        ---@return string? message
        function json.decode(text) end
        """))
    #expect(json.contains("---@field null? any the JSON null"))
    #expect(json.hasSuffix("\nreturn json\n"))
    let url = try #require(InterfaceStubs.files.first { $0.name == "url.lua" }?.text)
    #expect(url.contains("---@overload fun(text: string): table<string, any>\n"))
    #expect(url.contains("function url.join(base, ...) end"))
  }

  @Test func `the editor's settings are valid JSON and refer to the stubs`() throws {
    let settings = try JSONReader.decode(InterfaceStubs.settings)
    #expect(settings["workspace.library"] == [.string(InterfaceStubs.folder)])
    #expect(settings["runtime.version"] == "Lua 5.4")
  }
}
