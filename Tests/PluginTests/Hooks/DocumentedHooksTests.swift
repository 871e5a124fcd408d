import FetchEngine
import FetchModel
import Foundation
import Testing

/// Holds the page for authors of hook files against the code.
@Suite struct DocumentedHooksTests {
  static let page =
    (try? String(
      contentsOf: PluginBench.top.appending(
        path: "Sources/FetchEngine/Documentation.docc/ScriptingHooks.md"), encoding: .utf8)) ?? ""

  @Test(arguments: HookFunction.names) func `the page has every function`(name: String) {
    #expect(Self.page.contains("| `\(name)("))
  }

  @Test(arguments: ManifestReader.hookKeys.filter { $0 != "functions" })
  func `the page has every key`(key: String) {
    #expect(Self.page.contains("`\(key)`"))
  }

  static let files = page.split(separator: "```lua\n").dropFirst()
    .map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex)) }

  @Test func `there are files on the page`() { #expect(Self.files.count == 2) }

  @Test(arguments: files) func `a file on the page is right`(text: String) async throws {
    let bench = try await PluginBench()
    let options = ValueObject([("url", "https://example.org/")])
    let hook = try await bench.hook(
      text, options: text.contains("options =") ? options : ValueObject())
    #expect(!hook.file.manifest.functions.isEmpty)
    try await bench.close()
  }

  static let shipped: [String] = {
    let folder = PluginBench.top.appending(path: "plugins/hooks").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".lua") }.sorted()
  }()

  @Test(arguments: shipped) func `a shipped hook is on the page, and small`(file: String) throws {
    #expect(Self.page.contains("| `\(file)` |"))
    let text = try String(
      contentsOf: NotifyHookTests.folder.appending(path: file), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 52)
  }

  @Test func `shipped hooks are found by their names`() async throws {
    let bench = try await PluginBench()
    #expect(try await bench.shelf.hook(named: "ntfy").manifest.name == "ntfy")
    let problems = await #expect(throws: PluginProblems.self) {
      try await bench.shelf.hook(named: "ntfi")
    }
    let folder = PluginBench.top.appending(path: "plugins").path
    #expect(
      problems?.all.map(\.message) == [
        "no hook file 'ntfi' (did you mean 'ntfy'?): there is no hooks/ntfi.lua in \(folder)"
      ])
    try await bench.close()
  }

  @Test(arguments: HookFunction.names + ManifestReader.hookKeys.filter { $0 != "functions" })
  func `editors know every key and function of a hook file`(name: String) throws {
    let text = try #require(InterfaceStubs.files.first { $0.name == "plugin.lua" }?.text)
    let stub = try #require(text.firstRange(of: "---@class fetchrun.Hook\n"))
    let end = text[stub.upperBound...].firstRange(of: "---@class")?.lowerBound ?? text.endIndex
    #expect(text[stub.upperBound..<end].contains("---@field \(name)? "))
  }
}
