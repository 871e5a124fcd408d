import Foundation
import Testing

/// Every shipped plugin against recorded answers, in the real sandbox.
@Suite struct ShippedPluginTests {
  /// `FETCHRUN_RECORD=1 swift test --filter ShippedPluginTests` writes what comes as what is
  /// expected; read the difference before committing it.
  static let records = ProcessInfo.processInfo.environment["FETCHRUN_RECORD"] == "1"

  @Test func `each shipped plugin has cases`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: PluginBench.top.appending(path: "plugins").path)
    let plugins = files.filter { $0.hasSuffix(".lua") }.map { String($0.dropLast(4)) }
    #expect(plugins.sorted() == Set(PluginCase.all.map(\.plugin)).sorted())
  }

  @Test(arguments: PluginCase.all)
  func `recorded answers give the expected items and outcomes`(_ recorded: PluginCase) async throws
  {
    let lines = try await recorded.lines()
    if Self.records { try recorded.record(lines) }
    let expected = try recorded.expectedLines()
    #expect(lines == expected)
  }
}
