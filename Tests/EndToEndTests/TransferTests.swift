import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of downloads that continue after their run, from the command line to the disk.
@Suite(.serialized) struct TransferTests {
  let program: Program
  let server: NastyServer

  init() throws {
    program = try Program()
    server = try NastyServer(seed: 1, size: 3_000_000)
    try program.write("puller.lua", Self.plugin)
  }

  /// A plugin that requests a download of one file, and reports the end of the download as an item.
  static let plugin = """
    return {
      api = 1, name = "puller", version = "1.0.0",
      options = {
        url = { type = "url", required = true }, to = { default = "in/big.bin" },
        backup = {}, size = { type = "integer" }, headers = { type = "table" },
      },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        local options = ctx.options
        local id, problem = ctx:transfer {
          url = options.url, to = options.to, backup = options.backup, size = options.size,
          headers = options.headers,
        }
        if not id then return nil, problem end
      end,
      on_transfer = function(ctx, transfer)
        return { { id = transfer.to, title = transfer.state, etag = transfer.etag } }
      end,
    }
    """

  private func end() { program.remove() }
  /// Writes a file in the job's folder.
  private func write(_ name: String, _ text: String) throws {
    let path = root + "/" + name
    try FileManager.default.createDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private var root: String { program.files(of: "pull", besides: program.usualStore) }
  private func path(_ name: String) -> String { root + "/" + name }

  private func once(_ arguments: String..., url: String? = nil) throws -> Program.Ending {
    try program.start(
      [
        "--plugin", program.folder.path + "/puller.lua", "--job", "pull", "--allow-private",
        "--option", "url=\(url ?? server.url)",
      ] + arguments
    ).wait()
  }

  private func transfers(_ arguments: String...) throws -> Program.Ending {
    try program.start(["transfers"] + arguments).wait()
  }

  private func mentions(_ ending: Program.Ending) -> [String] {
    ending.messages.split(separator: "\n").map(String.init)
  }

  private var greeting: String { greeting(server.port) }

  private func greeting(_ port: UInt16) -> String {
    "fetchrun: pull may reach 127.0.0.1, 127.0.0.1:\(port); may keep up to 10.0 GB in up to 100000 "
      + "files and folders in "
      + "\(root); may reach private addresses"
  }

  // MARK: Waiting

  @Test func `a run waits for its download and notifies the plugin`() throws {
    defer { end() }
    let ending = try once()
    #expect(ending.status == 0)
    #expect(mentions(ending) == [greeting, "fetchrun: pull: in/big.bin: 3.0 MB received"])
    try #require(ending.lines.count == 3)
    #expect(ending.lines[0].hasPrefix("noData  pull  1 download queued  ("))
    #expect(ending.lines[1].hasPrefix("newData  pull  1 added, 0 updated, 0 removed"))
    #expect(ending.lines[2].hasSuffix("  done  "))
    #expect(server.pattern.isFile(path("in/big.bin")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: path(".fetchrun-partial")) == [])
    // The same file again is not news.
    let again = try once("--json")
    let runs = try again.lines.map { try JSONReader.decode($0) }
    #expect(runs.map { $0["outcome"] } == ["noData", "noData"])
    #expect(runs.map { $0["trigger"] } == ["manual", "transfer"])
    #expect(server.requests.count == 2)
  }

  @Test func `without waiting, a download is queued, listed, cancelled and retried`() throws {
    defer { end() }
    let ending = try once("--no-wait")
    #expect(ending.status == 0)
    #expect(mentions(ending) == [greeting])
    #expect(server.requests.isEmpty)
    #expect(
      try transfers().output == """
        ID  JOB   STATE   RECEIVED  OF  NEXT  TO          WHY
         1  pull  queued   0 bytes   -  -     in/big.bin

        """)
    let line = try transfers("--json", "--job", "pull").output
    let times = /"createdAt":"[0-9T:.-]+Z","updatedAt":"[0-9T:.-]+Z"/
    #expect(
      line.replacing(times, with: "TIMES") == """
        {"id":1,"job":"pull","url":"\(server.url)","to":"in/big.bin","state":"queued",\
        "receivedBytes":0,"totalBytes":null,"attempts":0,"nextAttemptAt":null,"failure":null,TIMES}

        """)
    let none = try transfers("--job", "other")
    #expect(none.output == "ID  JOB  STATE  RECEIVED  OF  NEXT  TO  WHY\n")
    #expect(none.messages.hasSuffix("fetchrun: there are no transfers of the job 'other'\n"))
    let cancelled = try transfers("cancel", "1", "7")
    #expect(cancelled.output == "1: failed\n")
    #expect(cancelled.messages == "fetchrun: there is no pending transfer 7\n")
    #expect(cancelled.status == 1)
    #expect(
      try transfers().output == """
        ID  JOB   STATE   RECEIVED  OF  NEXT  TO          WHY
         1  pull  failed   0 bytes   -  -     in/big.bin  the user cancelled the transfer

        """)
    #expect(try transfers("retry", "1").output == "1: queued\n")
    #expect(try transfers("retry").status == 64)
    #expect(try transfers("list", "1").status == 64)
    // The next run that waits for downloads carries out this download, because the run makes the
    // same request.
    #expect(try once().status == 0)
    #expect(server.pattern.isFile(path("in/big.bin")))
    #expect(server.requests.count == 1)
    #expect(
      try transfers().output == """
        ID  JOB   STATE  RECEIVED      OF  NEXT  TO          WHY
         1  pull  done     3.0 MB  3.0 MB  -     in/big.bin

        """)
  }

  /// The program of util-linux that runs another program in a pseudo-terminal.
  private static let script = "/usr/bin/script"

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: script), "script is not installed"),
    .timeLimit(.minutes(5)))
  func `a terminal shows the progress of a download`() throws {
    defer { end() }
    let isSeen = DispatchSemaphore(value: 0)
    let slow = try ScriptedServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n")
      connection.send([UInt8](repeating: 7, count: 1_000_000))
      isSeen.wait()
      connection.send([UInt8](repeating: 7, count: 1_000_000))
    }
    defer { slow.stop() }
    let seen = try program.write("seen", "")
    let command =
      "\(Program.executable.path) --plugin \(program.folder.path)/puller.lua --allow-private"
      + " --option url=\(slow.url)/f --option size=2000000"
    let process = Process()
    process.executableURL = URL(filePath: Self.script)
    process.arguments = ["-q", "-e", "-f", "-c", command, seen]
    process.environment = program.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let line = /\[#+·+\] [1-5]?\d %  \S+ [kM]B of 2\.0 MB  (\S+ [kM]B\/s  )?1 left/
    var isShown = false
    while process.isRunning, !isShown, !Task.isCancelled {
      let text = String(decoding: try Data(contentsOf: URL(filePath: seen)), as: UTF8.self)
      isShown = text.contains(line)
      sched_yield()
    }
    isSeen.signal()
    process.waitUntilExit()
    #expect(isShown)
    #expect(process.terminationStatus == 0)
  }

  @Test func `a download that cannot begin soon stays queued, with a message`() throws {
    defer { end() }
    let busy = try ScriptedServer { _, connection in
      connection.answer(503, ["Retry-After: 3600"])
    }
    defer { busy.stop() }
    let ending = try once(url: busy.url + "/f")
    #expect(ending.status == 0)
    #expect(
      mentions(ending) == [
        greeting(busy.port),
        "fetchrun: 1 transfer stays queued; it can continue with a later run of its job, or with "
          + "`fetchrun serve` if the config has the job",
      ])
    let listed = try transfers().output.split(separator: "\n").last
    #expect(
      listed?.contains(
        /^ 1  pull  waiting   0 bytes   -  [-0-9]+ [:0-9]+  in\/big.bin  http:\S+ answered 503$/)
        == true)
  }

  @Test func `serve carries out queued downloads, and answers control requests meanwhile`() throws {
    defer { end() }
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.usualStore)
      allow_private: true
      transfers: { at_once: 2, speed: 100MB }
      jobs:
        - { name: pull, plugin: ./puller.lua, options: { url: "\(server.url)" }, interval: never }
      """)
    #expect(try once("--no-wait").status == 0)
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "fetchrun: pull: in/big.bin: 3.0 MB received"))
    serving.wait(for: .output) { !$0.isEmpty }
    #expect(serving.output.first?.hasPrefix("newData  pull  1 added") == true)
    #expect(server.pattern.isFile(path("in/big.bin")))
    let refused = try transfers("cancel", "1", "--config", config)
    #expect(refused.messages == "fetchrun: there is no pending transfer 1\n")
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test func `run waits for the downloads of its jobs`() throws {
    defer { end() }
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      allow_private: true
      lanes: { "*": { gap: 0s } }
      jobs:
        - { name: pull, plugin: ./puller.lua, options: { url: "\(server.url)" }, interval: never }
        - name: none
          plugin: ./puller.lua
          options: { url: "\(server.url)", size: 5 }
          interval: never
      """)
    let ending = try program.run("run", "--config", config)
    #expect(ending.status == 1)
    #expect(
      mentions(ending).sorted() == [
        "fetchrun: none: in/big.bin: not received: invalidResponse: the file from "
          + "\(server.url) has 3000000 bytes instead of the requested 5",
        "fetchrun: pull: in/big.bin: 3.0 MB received",
        "none: info: granted at the first run: to keep files in the job's folder",
        "pull: info: granted at the first run: to keep files in the job's folder",
      ])
    #expect(ending.lines.filter { $0.hasPrefix("newData") }.count == 2)
    #expect(
      server.pattern.isFile(program.files(of: "pull", besides: program.store) + "/in/big.bin"))
  }

  @Test func `the downloads of a job are charged to its own budget`() throws {
    defer { end() }
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      allow_private: true
      jobs:
        - name: pull
          plugin: ./puller.lua
          options: { url: "\(server.url)" }
          interval: never
          budget: { bytes: 100MB/d }
      """)
    #expect(try program.run("run", "--config", config).status == 0)
    // The burst is 5 MB, a twentieth of the amount, and 3 MB of the burst are used.
    let explained = try program.run("explain", "pull", "--config", config).output
    #expect(
      explained.contains(
        /Its own budget of bytes: (1\.9\d*|2\.0) MB available \(at most 5\.0 MB\)/),
      "\(explained)")
  }

  @Test func `the headers that a plugin asks for are sent with every request`() throws {
    defer { end() }
    var manners = NastyServer.Manners()
    manners.cut = 50
    server.setManners(manners)
    let ending = try once("--option", #"headers={"X-Wanted":"yes","Accept":"image/*"}"#)
    #expect(ending.status == 0, "\(ending.messages)")
    #expect(server.pattern.isFile(path("in/big.bin")), "\(ending.messages)")
    #expect(server.requests.count > 1)
    for request in server.requests {
      #expect(request.header("X-Wanted") == "yes")
      #expect(request.header("Accept") == "image/*")
    }
  }

  @Test func `downloads are no faster than the config permits`() throws {
    defer { end() }
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      allow_private: true
      transfers: { speed: 1MB }
      jobs:
        - { name: pull, plugin: ./puller.lua, options: { url: "\(server.url)" }, interval: never }
      """)
    let begunAt = ContinuousClock.now
    #expect(try program.run("run", "--config", config).status == 0)
    // 3 MB at 1 MB per second take two seconds, because the first second's share is available
    // immediately.
    #expect(begunAt.duration(to: .now) > .milliseconds(1_900))
    #expect(
      server.pattern.isFile(program.files(of: "pull", besides: program.store) + "/in/big.bin"))
  }

  @Test func `a download that a run waits for can be cancelled`() throws {
    defer { end() }
    let stalling = try ScriptedServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 100\r\n\r\nsome")
      connection.waitUntilClientCloses()
    }
    defer { stalling.stop() }
    let running = try program.start([
      "--plugin", program.folder.path + "/puller.lua", "--job", "pull", "--allow-private",
      "--option", "url=\(stalling.url)",
    ])
    while stalling.requests.isEmpty, running.process.isRunning { sched_yield() }
    let cancelled = try transfers("cancel", "1")
    #expect(cancelled.output == "1: failed\n")
    #expect(cancelled.messages == "")
    let ending = try running.wait()
    #expect(ending.status == 1)
    #expect(
      mentions(ending).last
        == "fetchrun: pull: in/big.bin: not received: cancelled: the user cancelled the transfer")
    #expect(!FileManager.default.fileExists(atPath: path(".fetchrun-partial/1")))
  }

  @Test func `a granted file is copied, and the replaced file is kept as a backup`() throws {
    defer { end() }
    let source = try program.write("source/a b.txt", "the copy")
    try write("in/big.bin", "the old one")
    let url = "file://" + source.replacing(" ", with: "%20")
    let refused = try once(url: url)
    #expect(refused.status == 1)
    #expect(
      refused.output.contains(
        "the plugin may not read \(source) (granted: nothing); allow it with `--allow-read`"))
    let ending = try once("--allow-read", source, "--option", "backup=old", url: url)
    #expect(ending.status == 0)
    #expect(try String(contentsOfFile: path("in/big.bin"), encoding: .utf8) == "the copy")
    #expect(try String(contentsOfFile: path("old/in/big.bin"), encoding: .utf8) == "the old one")
  }

  // MARK: Errors of the disk

  private func refusedByDisk(_ message: String, _ ending: Program.Ending) {
    #expect(ending.status == 1)
    #expect(mentions(ending).last == "fetchrun: pull: in/big.bin: not received: " + message)
  }

  @Test func `a folder in the way is reported, and stays`() throws {
    defer { end() }
    try write("in/big.bin/inner", "here")
    refusedByDisk(
      "fileAccess: cannot write the file in/big.bin: the path is a folder", try once())
    #expect(FileManager.default.fileExists(atPath: path("in/big.bin/inner")))
  }

  @Test func `a file in the place of a folder is reported, and stays`() throws {
    defer { end() }
    try write("in", "here")
    refusedByDisk(
      "fileAccess: cannot write the file in/big.bin: a file exists where a folder is needed",
      try once())
    #expect(try String(contentsOfFile: path("in"), encoding: .utf8) == "here")
  }

  @Test func `a full quota is reported, and the old file stays`() throws {
    defer { end() }
    try write("in/big.bin", "the old one")
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.usualStore)
      allow_private: true
      jobs:
        - name: pull
          plugin: ./puller.lua
          options: { url: "\(server.url)" }
          interval: never
          files: { bytes: 1MB }
      """)
    refusedByDisk(
      "fileQuota: cannot write the file in/big.bin: the folder may hold at most 1.0 MB"
        + " (`files.bytes`); remove files or raise the quota",
      try program.run("run", "--config", config))
    #expect(try String(contentsOfFile: path("in/big.bin"), encoding: .utf8) == "the old one")
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root can mount a small disk"))
  func `a full disk is reported, and the old file stays`() throws {
    defer { end() }
    let folder = program.folder.appending(path: "disk").path
    let disk = try SmallDisk(at: folder, bytes: 1 << 20)
    defer { disk.remove() }
    try program.write("disk/in/big.bin", "the old one")
    let ending = try once("--files-root", folder)
    refusedByDisk(
      "fileAccess: cannot write the file in/big.bin: the disk is full", ending)
    #expect(
      try String(contentsOfFile: folder + "/in/big.bin", encoding: .utf8) == "the old one")
    // No partial file remains on the full disk.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder + "/.fetchrun-partial") == [])
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root can mount a disk that is read only"))
  func `a read-only disk is reported`() throws {
    defer { end() }
    let folder = program.folder.appending(path: "disk").path
    let disk = try SmallDisk(at: folder, bytes: 1 << 20, isReadOnly: true)
    defer { disk.remove() }
    refusedByDisk(
      "fileAccess: cannot create the folder .fetchrun-partial: the file system is read-only",
      try once("--files-root", folder))
  }
}
