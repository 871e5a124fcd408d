import FetchTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

/// Tests of signals, contention and crashes in the middle of a run.
@Suite struct InterruptionTests {
  /// A server that reports each request and never answers.
  private final class Silent: Sendable {
    let server: ScriptedServer
    private let asked: DispatchSemaphore

    init() throws {
      let asked = DispatchSemaphore(value: 0)
      self.asked = asked
      server = try ScriptedServer { _, connection in
        asked.signal()
        connection.waitUntilClientCloses()
      }
    }

    func waitUntilAsked() { asked.wait() }
  }

  static let signals: [(signal: Int32, status: Int32)] = [
    (SIGHUP, 129), (SIGINT, 130), (SIGTERM, 143),
  ]

  @Test(arguments: signals)
  func `a signal ends the run, and its record is written`(signal: Int32, status: Int32) throws {
    let program = try Program()
    defer { program.remove() }
    let silent = try Silent()
    defer { silent.server.stop() }
    // A signal that is ignored at the program's start, as under nohup, stays ignored.
    let before = Glibc.signal(signal, SIG_DFL)
    let running = try program.start([
      "--plugin", "rss", "--option", "url=\(silent.server.url)/feed", "--allow-private", "--json",
    ])
    Glibc.signal(signal, before)
    silent.waitUntilAsked()
    kill(running.process.processIdentifier, signal)
    let ending = try running.wait()
    #expect(ending.status == status)
    #expect(ending.output.contains("\"code\":\"cancelled\""))
    let runs = try program.run("runs", "--json")
    #expect(runs.lines.count == 1)
    #expect(runs.output.contains("\"code\":\"cancelled\""))
  }

  @Test func `two simultaneous signals count as one, and the run's record is written`() throws {
    let program = try Program()
    defer { program.remove() }
    let silent = try Silent()
    defer { silent.server.stop() }
    let running = try program.start([
      "--plugin", "rss", "--option", "url=\(silent.server.url)/feed", "--allow-private", "--json",
    ])
    silent.waitUntilAsked()
    kill(running.process.processIdentifier, SIGINT)
    kill(running.process.processIdentifier, SIGTERM)
    let ending = try running.wait()
    #expect([130, 143].contains(ending.status))
    #expect(ending.output.contains("\"code\":\"cancelled\""))
    #expect(try program.run("runs", "--json").lines.count == 1)
  }

  @Test func `an interrupted command names the jobs that it did not start`() throws {
    let program = try Program()
    defer { program.remove() }
    let silent = try Silent()
    defer { silent.server.stop() }
    let config = try program.write(
      "fetchrun.yaml",
      """
      jobs:
        - { name: a, plugin: rss, options: { url: "\(silent.server.url)/" } }
        - { name: b, plugin: rss, options: { url: "\(silent.server.url)/" } }
      """)
    let running = try program.start(["run", "--config", config, "--allow-private"])
    silent.waitUntilAsked()
    kill(running.process.processIdentifier, SIGINT)
    let ending = try running.wait()
    #expect(ending.status == 130)
    #expect(
      ending.messages.contains(/fetchrun: [ab] did not run: the command was interrupted\n/),
      "\(ending)")
  }

  @Test func `a second process shows a message, waits for the store, then runs`() throws {
    let program = try Program()
    defer { program.remove() }
    let silent = try Silent()
    defer { silent.server.stop() }
    let first = try program.start([
      "--plugin", "rss", "--option", "url=\(silent.server.url)/feed", "--allow-private",
    ])
    silent.waitUntilAsked()
    let second = try program.start(MainJobTests.once)
    let word = try second.firstMessage { $0.contains("waiting for the store") }
    #expect(word.contains("process \(first.process.processIdentifier) is writing"))
    kill(first.process.processIdentifier, SIGINT)
    #expect(try first.wait().status == 130)
    let ending = try second.wait()
    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("newData  news  20 added"))
  }

  @Test func `after a kill in the middle of a run, the next run finds a sound store and all news`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    #expect(try program.start(MainJobTests.once).wait().status == 0)
    let silent = try Silent()
    defer { silent.server.stop() }
    for _ in 0..<5 {
      let running = try program.start([
        "--plugin", "rss", "--option", "url=\(silent.server.url)/feed", "--allow-private",
      ])
      silent.waitUntilAsked()
      kill(running.process.processIdentifier, SIGKILL)
      #expect(try running.wait().status == 128 + SIGKILL)
    }
    #expect(try program.run("items", "--json", "--limit", "0").lines.count == 20)
    #expect(try program.start(MainJobTests.once).wait().output.hasPrefix("noData"))
    #expect(try program.run("doctor").output.contains("good  store:"))
  }

  /// Kills the program when its run is in the store and waits for the server's answer. Checks that
  /// the run is not listed before.
  private func killWhenNoted(
    _ words: [String], job: String, _ program: Program, _ silent: Silent
  ) throws {
    let running = try program.start(words)
    silent.waitUntilAsked()
    while try program.run("items", job).status != 0 {}
    #expect(try program.run("runs", "--json").lines.isEmpty)
    kill(running.process.processIdentifier, SIGKILL)
    #expect(try running.wait().status == 128 + SIGKILL)
  }

  private func expectAbandoned(_ runs: Program.Ending) {
    #expect(runs.lines.count == 1)
    #expect(runs.output.contains(#""code":"abandoned""#), "\(runs)")
  }

  @Test func `a killed run of a config is reported as abandoned, and due again`() throws {
    let program = try Program()
    defer { program.remove() }
    let silent = try Silent()
    defer { silent.server.stop() }
    let config = try program.write(
      "fetchrun.yaml",
      """
      jobs:
        - { name: slow, plugin: rss, interval: 1h, options: { url: "\(silent.server.url)/" } }
      """)
    let run = ["run", "--config", config, "--allow-private"]
    try killWhenNoted(run, job: "slow", program, silent)
    expectAbandoned(try program.run("runs", "--json"))
    let status = try program.run("status", "--config", config, "--json")
    #expect(status.output.contains(#""lastOutcome":"failed""#), "\(status)")
    let why = try program.run("explain", "slow", "--config", config)
    #expect(why.output.contains("failed (abandoned): the run did not end"), "\(why)")
    // The job is due again before its interval of an hour has passed.
    let again = try program.start(run + ["--due"])
    silent.waitUntilAsked()
    kill(again.process.processIdentifier, SIGINT)
    #expect(try again.wait().output.hasPrefix("failed  slow  cancelled"))
    #expect(try program.run("runs", "--json").lines.count == 2)
  }

  @Test func `a killed run on the command line is reported as abandoned`() throws {
    let program = try Program()
    defer { program.remove() }
    let silent = try Silent()
    defer { silent.server.stop() }
    let once = [
      "--plugin", "rss", "--option", "url=\(silent.server.url)/", "--allow-private", "--job", "one",
    ]
    try killWhenNoted(once, job: "one", program, silent)
    expectAbandoned(try program.run("runs", "--json"))
    // The next process that writes the store finds the abandoned run.
    #expect(try program.start(MainJobTests.once).wait().status == 0)
    expectAbandoned(try program.run("runs", "one", "--json"))
  }

  @Test func `a hook whose output nobody reads any more ends as usual`() throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path
    let plugin = try program.write(
      "one.lua",
      "return { api = 1, name = 'one', version = '1', fetch = function() return { { id = 1 } } end }"
    )
    let command =
      "echo begun; until [ -e '\(folder)/gone' ]; do sleep 0.01; done; echo lost; sleep 0.5;"
      + " touch '\(folder)/done'"
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = ["--plugin", plugin, "--on-new", command]
    process.currentDirectoryURL = Program.top
    process.environment = program.environment
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    while !text.contains("begun\n") {
      let bytes = output.fileHandleForReading.availableData
      try #require(!bytes.isEmpty, "\(text)")
      text += String(decoding: bytes, as: UTF8.self)
    }
    try output.fileHandleForReading.close()
    try program.write("gone", "")
    process.waitUntilExit()
    #expect(FileManager.default.fileExists(atPath: folder + "/done"))
  }

  @Test func `a closed pipe ends the program quietly`() throws {
    let program = try Program()
    defer { program.remove() }
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.currentDirectoryURL = Program.top
    shell.environment = program.environment
    shell.arguments =
      [
        "-c", "\"$0\" \"$@\" --json 2>\"$HOME/messages\" | head -n 1 >/dev/null",
        Program.executable.path,
      ] + MainJobTests.once
    try shell.run()
    shell.waitUntilExit()
    let messages = try String(
      contentsOf: program.folder.appending(path: "messages"), encoding: .utf8)
    #expect(messages == "fetchrun: news may read \(Program.top.path)/examples\n")
  }
}
