import FetchTestSupport
import Foundation
import Testing

/// Tests of downloads into folders without write permission.
@Suite(
  .enabled(if: ObeyingUser.isAvailable, "setpriv is not installed"), .timeLimit(.minutes(5)))
struct TransferRightsTests {
  @Test(arguments: [
    ("in", "cannot write the file in/big.bin: permission denied"),
    ("", "cannot create the folder .fetchrun-partial: permission denied"),
  ])
  func `a folder without write permission is reported, and its files stay`(
    place: String, why: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let server = try NastyServer(seed: 1, size: 100_000)
    let plugin = try program.write("puller.lua", TransferTests.plugin)
    try program.write("root/in/big.bin", "the old one")
    let folder = program.folder.path + "/root/" + place
    chmod(folder, 0o555)
    defer { chmod(folder, 0o755) }
    let ending = try program.start(
      [
        "--plugin", plugin, "--job", "pull", "--allow-private", "--option", "url=\(server.url)",
        "--files-root", program.folder.path + "/root",
      ], launcher: ObeyingUser.launcher
    ).wait()
    #expect(ending.status == 1)
    #expect(
      ending.messages.hasSuffix("fetchrun: pull: in/big.bin: not received: fileAccess: \(why)\n"))
    let old = program.folder.path + "/root/in/big.bin"
    #expect(try String(contentsOfFile: old, encoding: .utf8) == "the old one")
    let left = try? FileManager.default.contentsOfDirectory(
      atPath: program.folder.path + "/root/.fetchrun-partial")
    #expect(left ?? [] == [])
  }
}
