import LuaVM
import Testing

@testable import FetchSandbox

/// A test of the trusted code, which workers compile only when a run needs it.
@Suite struct TrustedChunksTests {
  @Test(arguments: TrustedChunks.sources.map(\.name))
  func `trusted code can be compiled`(name: String) throws {
    let chunk = try #require(TrustedChunks.sources.first { $0.name == name })
    _ = try LuaChunk.compile(name: name, source: chunk.source.utf8)
  }

  @Test func `the message about an unknown module lists all modules in order`() throws {
    let mistakes = try #require(TrustedChunks.sources.first { $0.name == "fetchrun:mistakes" })
    #expect(
      mistakes.source.contains(
        "\"base64, csv, feed, files, hash, html, http, json, log, text, time, url, xml\""))
  }
}
