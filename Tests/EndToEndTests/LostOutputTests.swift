import FetchTestSupport
import Foundation
import Testing

/// Tests of standard output that accepts nothing, stores on full disks, and unknown jobs.
@Suite struct LostOutputTests {
  private static let toFullDevice = ["/bin/sh", "-c", "exec \"$@\" > /dev/full", "sh"]

  @Test(arguments: [["items"], ["runs", "--json"], ["--version"], ["schema"]])
  func `output that cannot be written is reported, also by the exit status`(words: [String]) throws
  {
    let program = try Program()
    defer { program.remove() }
    #expect(try program.start(MainJobTests.once).wait().status == 0)
    let ending = try program.start(words, launcher: Self.toFullDevice).wait()
    #expect(ending.status == 1)
    #expect(
      ending.messages
        == "fetchrun: cannot write to standard output: No space left on device\n")
  }

  @Test func `a run whose output is lost is stored nevertheless`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.start(
      MainJobTests.once + ["--json"], launcher: Self.toFullDevice
    ).wait()
    #expect(ending.status == 1)
    #expect(ending.messages.hasSuffix("No space left on device\n"))
    #expect(try program.run("items", "--limit", "0").lines.count == 20)
  }

  @Test(arguments: [("<&-", 0, ""), (">&-", 1, "Bad file descriptor\n"), ("<&- >&- 2>&-", 1, "")])
  func `the descriptor of a closed stream is not reused for the store`(
    closing: String, status: Int, word: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let launcher = ["/bin/sh", "-c", "exec \"$@\" \(closing)", "sh"]
    let ending = try program.start(MainJobTests.once, launcher: launcher).wait()
    #expect(ending.status == Int32(status), "\(ending)")
    #expect(word.isEmpty || ending.messages.hasSuffix(word), "\(ending)")
    #expect(try program.run("items", "--limit", "0").lines.count == 20)
    #expect(try program.run("doctor").output.contains("good  store:"))
    #expect(try program.run("items", "--limit", "0").messages.isEmpty)
  }

  @Test func `a reader that has read enough ends the program without a message`() throws {
    let program = try Program()
    defer { program.remove() }
    #expect(try program.start(MainJobTests.once).wait().status == 0)
    let (output, messages) = (Pipe(), Pipe())
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = ["items", "--limit", "0"]
    process.environment = program.environment
    process.standardOutput = output
    process.standardError = messages
    try output.fileHandleForReading.close()
    try process.run()
    let text = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    #expect(process.terminationStatus + (isSignal ? 128 : 0) == 141)
    #expect(text.isEmpty)
  }

  @Test(arguments: [["items", "nwes"], ["runs", "nwes"], ["diff", "nwes", "id"]])
  func `a job that is not in the store gets a suggestion`(words: [String]) throws {
    let program = try Program()
    defer { program.remove() }
    #expect(try program.start(MainJobTests.once).wait().status == 0)
    let ending = try program.run(words)
    #expect(ending.status == 1)
    #expect(ending.output.isEmpty)
    #expect(
      ending.messages == "fetchrun: the store has no job 'nwes' (did you mean 'news'?)\n")
    // No reads are stored for an unknown job.
    let names = try FileManager.default.subpathsOfDirectory(atPath: program.folder.path)
    #expect(!names.contains { $0.hasSuffix(".reads") })
    #expect(try program.run("items", "news", "--since", "20").status == 0)
  }

  @Test func `an unusable address is a usage error, and nothing is run`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--plugin", "rss", "--option", "url=example.org/feed")
    #expect(ending.status == 64)
    #expect(
      ending.messages
        == "fetchrun: option 'url': the address \"example.org/feed\" has no scheme; "
        + "write one, as in https://example.org/\n")
    let config = try program.write(
      "fetchrun.yaml",
      """
      jobs:
        - name: news
          plugin: rss
          options: { url: example.org/feed }
      """)
    let run = try program.run("run", "--config", config)
    #expect(run.status == 78)
    #expect(
      run.messages == "fetchrun: \(config):4:16: job 'news': option 'url': the address "
        + "\"example.org/feed\" has no scheme; write one, as in https://example.org/\n")
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root can mount a small disk"))
  func `with a full disk, nothing is fetched`() throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.appending(path: "disk").path
    let disk = try SmallDisk(at: folder, bytes: 1 << 20)
    defer { disk.remove() }
    let store = folder + "/store.sqlite"
    let once = MainJobTests.once + ["--store", store]
    #expect(try program.start(once).wait().status == 0)
    try disk.fill()
    let ending = try program.start(once).wait()
    #expect(ending.status == 1)
    #expect(ending.output.isEmpty)
    #expect(
      ending.messages.hasSuffix(
        "fetchrun: no space for the store \(store) (disk I/O error): free space on its disk\n"))
  }
}
