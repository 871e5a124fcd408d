import FetchValues
import Foundation
import Testing

/// Tests of readers of standard output and standard error that stop reading or read slowly. A
/// daemon continues its work, but a command waits until the reader reads or a signal arrives.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SlowReaderTests {
  let program: Program
  private let fifo: String
  private let reader: FileHandle

  init() throws {
    program = try Program()
    fifo = program.folder.path + "/stream"
    try #require(mkfifo(fifo, 0o600) == 0)
    // The pipe is opened at both ends, so that no open call waits and the program finds a reader.
    reader = FileHandle(fileDescriptor: open(fifo, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
    try program.write(
      "talker.lua",
      """
      local log = require "log"
      return {
        api = 1, name = "talker", version = "1",
        fetch = function(ctx)
          for line = 1, 60 do log.warn(line .. ("x"):rep(1000)) end
          return { { id = ctx.run } }
        end,
      }
      """)
    try program.write(
      "witness.lua",
      """
      return {
        api = 1, name = "witness", version = "1",
        fetch = function(ctx) return { { id = ctx.run } } end,
      }
      """)
  }

  /// Writes a config of twelve jobs that together log 720 KB per second, and 40 jobs that report
  /// only their ends.
  private func config() throws -> String {
    let talkers = (1...12).map { "  - {name: talker\($0), plugin: talker, interval: 1s}\n" }
    let others = (1...40).map { "  - {name: witness\($0), plugin: witness, interval: 1s}\n" }
    return try program.write(
      "fetchrun.yaml", "plugins: [.]\njobs:\n" + (talkers + others).joined())
  }

  /// Starts the program and connects one of its streams to the fifo.
  private func start(_ words: [String], stream: String) throws -> Watched {
    try Watched(program, words, launcher: ["/bin/sh", "-c", "exec \"$@\" \(stream)\(fifo)", "sh"])
  }

  private func count(_ job: String, _ lines: [String]) -> Int {
    lines.count { $0.contains("\"job\":\"\(job)\"") }
  }

  /// Reads lines until one contains the text. Returns all lines.
  private func lines(until text: String) throws -> [String] {
    var bytes = Data()
    while !String(decoding: bytes, as: UTF8.self).contains(text) { bytes += reader.availableData }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test
  func `a log reader that does not read delays no job, and later gets the number of missed lines`()
    throws
  {
    defer { program.remove() }
    let serving = try start(["serve", "--json", "--config", config()], stream: "2>")
    defer { serving.signal(SIGKILL) }
    // Pipe and queue are full after the output of thirty runs.
    serving.wait(for: .output) { lines in lines.count { $0.contains("\"job\":\"talker") } >= 30 }
    let seen = count("witness1", serving.output)
    #expect(serving.wait(for: .output) { count("witness1", $0) >= seen + 5 })
    let log = try lines(until: "dropped: the log reader is too slow\"}\n")
    let notice = try #require(log.last { $0.contains("dropped") })
    let entry = try JSONReader.decode(notice)
    #expect(entry["level"] == "warning")
    #expect(entry["message"]?.stringValue?.wholeMatch(of: /\d+ messages dropped: .*/) != nil)
    #expect(log.filter { $0.contains("dropped") }.count == 1)
    // Only whole messages were dropped.
    #expect(throws: Never.self) { try log.dropLast().map { try JSONReader.decode($0) } }
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test(arguments: ["2>", ">"])
  func `SIGTERM ends a daemon whose reader does not read`(stream: String) throws {
    defer { program.remove() }
    let serving = try start(
      ["serve", "--json", "--config", config(), "--grace", "100ms"], stream: stream)
    defer { serving.signal(SIGKILL) }
    // The pipe takes 64 KiB, which is fewer than 200 records.
    while try runCount() < 250 { sched_yield() }
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  private func runCount() throws -> Int {
    try program.run("runs", "--limit", "0", "--json").lines.count
  }

  @Test func `SIGTERM ends a command that waits for the reader of its results`() throws {
    defer { program.remove() }
    let name = String(repeating: "x", count: 200)
    let jobs = (0..<400).map { "  - {name: \(name)\($0), plugin: witness}\n" }
    let config = try program.write("fetchrun.yaml", "plugins: [.]\njobs:\n" + jobs.joined())
    let running = try start(["run", "--json", "--config", config], stream: ">")
    defer { running.signal(SIGKILL) }
    // The pipe takes 64 KiB, which is fewer than 150 of these records.
    while try runCount() < 100 { sched_yield() }
    running.signal(SIGTERM)
    #expect(running.end() == 143)
    let stored = try runCount()
    #expect(stored >= 100)
  }

  @Test func `a command waits for a slow reader and drops nothing`() throws {
    defer { program.remove() }
    try program.write(
      "many.lua",
      """
      return {
        api = 1, name = "many", version = "1",
        fetch = function(ctx)
          for number = 1, 3000 do
            ctx:emit({ id = tostring(number), title = ("x"):rep(1000) })
          end
        end,
      }
      """)
    let plugin = program.folder.path + "/many.lua"
    let running = try start(["--plugin", plugin, "--json"], stream: ">")
    defer { running.signal(SIGKILL) }
    let lines = try lines(until: "\"added\":3000")
    #expect(lines.count == 3001)
    #expect(running.end() == 0)
  }
}
