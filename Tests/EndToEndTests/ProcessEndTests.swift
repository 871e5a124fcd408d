import Foundation
import Testing

/// Tests of the end of the process after its work is done.
@Suite(.timeLimit(.minutes(5))) struct ProcessEndTests {
  let program: Program
  let news: Newsroom

  init() throws {
    program = try Program()
    news = try Newsroom()
  }

  /// Runs a plugin and returns the loader's log of the whole run.
  private func loading(_ path: String, status: Int32) throws -> String {
    let log = program.folder.appending(path: "loader").path
    let ending = try program.run(
      "--plugin", "rss", "--option", "url=http://127.0.0.1:\(news.port)\(path)",
      "--allow-private", environment: ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": log])
    #expect(ending.status == status, "\(ending.messages)")
    let logs = try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
      .filter { $0.hasPrefix("loader.") }
    return try logs.map {
      try String(contentsOf: program.folder.appending(path: $0), encoding: .utf8)
    }.joined()
  }

  @Test func `the process ends without unloading libraries that other threads still use`() throws {
    defer {
      news.stop()
      program.remove()
    }
    let text = try loading("/feed", status: 0)
    #expect(text.contains("calling init: ") && text.contains("libcrypto"))
    #expect(!text.contains("calling fini: "))
  }

  @Test func `the process of a failed run ends without unloading libraries`() throws {
    defer { program.remove() }
    news.stop()
    let text = try loading("/feed", status: 1)
    #expect(text.contains("libcrypto"))
    #expect(!text.contains("calling fini: "))
  }
}
