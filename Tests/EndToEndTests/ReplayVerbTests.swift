import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `fetchrun replay`, which repeats failed runs.
@Suite struct ReplayVerbTests {
  private static func plugin(_ condition: String) -> String {
    """
    local http, log = require "http", require "log"
    return {
      api = 1, name = "orders", version = "1",
      options = { url = { type = "url", required = true }, token = { default = "t0ken-of-mine" } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        local first = assert(http.get(ctx.options.url, { bearer = ctx.options.token }))
        log.info("drew", math.random(1 << 30), "after", ctx.state.count)
        ctx.state.count = (ctx.state.count or 0) + 1
        for _, order in ipairs(first:json()) do
          if \(condition) then error("order " .. order.id .. " has no title") end
          ctx:emit(order)
        end
      end,
    }
    """
  }

  /// Returns a program whose job has failed in the run after a successful one, the path of the
  /// job's plugin, and the last line about the failed run.
  private func failedProgram(
    _ arguments: [String] = []
  ) throws -> (program: Program, plugin: String, run: Value) {
    let server = try ScriptedServer { request, connection in
      let isFirst = request.header("if-none-match") == nil
      connection.answer(
        200, ["ETag: \"\(isFirst ? 1 : 2)\""],
        isFirst ? #"[{"id": 1, "title": "one"}]"# : #"[{"id": 2}]"#)
    }
    defer { server.stop() }
    let program = try Program()
    let path = try program.write("orders.lua", Self.plugin("not order.title"))
    var last: Value = .null
    for status in [0, 1] {
      let ending = try program.start(
        ["--plugin", path, "--option", "url=\(server.url)/", "--allow-private", "--json"]
          + arguments
      ).wait()
      #expect(ending.status == Int32(status))
      last = try JSONReader.decode(try #require(ending.lines.last))
    }
    return (program, path, last)
  }

  @Test func `a failed run has the same result on its recorded answers`() throws {
    let (program, _, run) = try failedProgram()
    defer { program.remove() }
    let id = try #require(run["run"]?.stringValue)
    let job = try #require(run["job"]?.stringValue)
    // The server is stopped. State, validators, random numbers and time are those of the failed
    // run.
    let replay = try program.run("replay", id)
    #expect(replay.status == 0, "\(replay.output)\(replay.messages)")
    #expect(
      replay.output
        == "same  \(job)  \(id)  failed: pluginError: order 2 has no title (orders.lua:11)\n")
    #expect(replay.messages.isEmpty)
    let byJob = try program.run("replay", job, "--json")
    #expect(byJob.status == 0)
    #expect(
      byJob.output == """
        {"run":"\(id)","job":"\(job)","outcome":"failed","same":true,"pluginChanged":false,\
        "problems":[],"diff":""}

        """)
    // Nothing was stored.
    #expect(try program.run("runs", "--json").lines.count == 2)
  }

  @Test func `a run without answers fails in the same way again`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "ask.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "ask", version = "1", options = { url = { type = "url" } },
        permissions = { http = { "{options.url}" } },
        fetch = function(ctx)
          local answer, problem = http.get(ctx.options.url)
          if not answer then return nil, problem end
        end,
      }
      """)
    let port = try RefusingPort()
    let server = try ScriptedServer { _, connection in connection.close() }
    let plain = try ScriptedServer(greeting: { connection in
      connection.send("hello\r\n")
      return false
    }) { _, _ in }
    defer {
      server.stop()
      plain.stop()
    }
    let words = [
      // No such name can exist (RFC 6761, section 6.4).
      "http://nobody.invalid/": "nameResolution: ",
      "http://127.0.0.1:\(port.number)/": "connection: ",
      "https://127.0.0.1:\(plain.port)/": "tls: ",
      server.url + "/": "connection: ",
    ]
    for (url, word) in words {
      let run = try program.run(
        "--plugin", path, "--option", "url=\(url)", "--allow-private", "--job", url, "--json")
      #expect(run.status == 1, "\(run.output)")
      let failure = try JSONReader.decode(try #require(run.lines.last))["failure"]
      let message = try #require(failure?["message"]?.stringValue)
      let code = try #require(failure?["code"]?.stringValue)
      #expect("\(code): ".hasPrefix(word), "\(run.output)")
      let replay = try program.run("replay", url)
      #expect(replay.status == 0, "\(replay.output)\(replay.messages)")
      #expect(replay.output.hasPrefix("same  \(url)  "), "\(replay.output)")
      #expect(replay.output.hasSuffix("  failed: \(code): \(message)\n"), "\(replay.output)")
    }
    withExtendedLifetime(port) {}
  }

  @Test func `a failed run that reported an ended download can be repeated`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "copy.lua",
      """
      return {
        api = 1, name = "copy", version = "1", options = { url = { type = "url" } },
        permissions = { http = { "{options.url}" } },
        fetch = function(ctx) assert(ctx:transfer { url = ctx.options.url, to = "a.txt" }) end,
        on_transfer = function(ctx, transfer)
          error(ctx.trigger .. ": no use for " .. transfer.size .. " bytes of " .. transfer.to)
        end,
      }
      """)
    let source = try program.write("in/a.txt", "alpha")
    let run = try program.run(
      "--plugin", path, "--option", "url=file://\(source)", "--allow-read",
      program.folder.path + "/in", "--job", "copies")
    #expect(run.status == 1)
    let replay = try program.run("replay", "copies")
    #expect(replay.status == 0, "\(replay.output)\(replay.messages)")
    #expect(
      replay.output.hasSuffix(
        "  failed: pluginError: transfer: no use for 5 bytes of a.txt (copy.lua:6)\n"))
  }

  @Test func `the replay of a corrected plugin shows the differences`() throws {
    let (program, path, run) = try failedProgram()
    defer { program.remove() }
    let id = try #require(run["run"]?.stringValue)
    let job = try #require(run["job"]?.stringValue)
    try program.write("orders.lua", Self.plugin("false"))
    let replay = try program.run("replay", String(id.prefix(30)))
    #expect(replay.status == 1)
    #expect(
      replay.messages
        == "fetchrun: the plugin's files differ in name or content from those of the original"
        + " run\n")
    #expect(
      replay.lines.first == "differs  \(job)  \(id)  newData: 1 added", "\(replay.output)")
    #expect(replay.output.contains("  -outcome failed\n"))
    #expect(replay.output.contains("  +outcome newData\n"))
    #expect(!replay.output.contains("drew 0"))

    // The failed run also becomes a test case.
    let written = try program.run("replay", id, "--case", "without-title")
    #expect(written.status == 1)
    #expect(
      written.messages.contains(
        "wrote \(program.folder.path)/orders.test/without-title; to accept its result, type"
          + " `fetchrun test \(path) --case without-title --update`"))
    #expect(try program.run("test", path, "--update").status == 0)
    #expect(try program.run("test", path).output == "passed  orders  without-title\n")
  }

  @Test func `kept runs are listed; they are bounded, and have no secrets`() throws {
    let (program, _, run) = try failedProgram()
    defer { program.remove() }
    let id = try #require(run["run"]?.stringValue)
    let list = try program.run("replay")
    #expect(list.lines.count == 1)
    let job = try #require(run["job"]?.stringValue)
    let startedAt = try #require(run["startedAt"]?.stringValue)
    #expect(list.output == "\(id)  \(startedAt.prefix(19))  \(job)\n")
    let json = try program.run("replay", "--json")
    let bytes = try #require(try JSONReader.decode(json.lines[0])["bytes"]?.integerValue)
    #expect((500..<5_000).contains(bytes))
    #expect(
      json.output == """
        {"run":"\(id)","job":"\(job)","startedAt":"\(startedAt)","bytes":\(bytes)}

        """)
    for name in ["store.sqlite", "store.sqlite-wal"] {
      let file = program.folder.path + "/fetchrun/" + name
      let data = FileManager.default.contents(atPath: file) ?? Data()
      #expect(data.range(of: Data("t0ken-of-mine".utf8)) == nil)
    }
    let unknown = try program.run("replay", "order")
    #expect(unknown.status == 64)
    #expect(
      unknown.messages.hasPrefix(
        "fetchrun: the store has no run of a job 'order', and not exactly one run whose id begins"
          + " with 'order'"),
      "\(unknown.messages)")
  }

  @Test func `a message gives the reason why a run cannot be repeated`() throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(200, [], String(repeating: "x", count: 5 << 20))
    }
    defer { server.stop() }
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "big.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "big", version = "1", options = { url = { type = "url" }, fail = { type = "boolean" } },
        permissions = { http = { "{options.url}" } },
        fetch = function(ctx)
          local answer = assert(http.get(ctx.options.url))
          if ctx.options.fail then error("too big") end
        end,
      }
      """)
    func run(_ fail: Bool) throws -> String {
      let ending = try program.run(
        "--plugin", path, "--option", "url=\(server.url)/", "--option", "fail=\(fail)",
        "--allow-private", "--job", "big", "--json")
      return try JSONReader.decode(try #require(ending.lines.last))["run"]?.stringValue ?? ""
    }
    let fine = try program.run("replay", try run(false))
    #expect(fine.status == 64)
    #expect(
      fine.messages.hasSuffix(
        " of big cannot be replayed: it did not fail (noData), and answers are kept only for"
          + " failed runs\n"
      ),
      "\(fine.messages)")
    let id = try run(true)
    let large = try program.run("replay", id)
    #expect(large.status == 64)
    #expect(
      large.messages
        == "fetchrun: the run \(id) cannot be replayed: its requests and answers are"
        + " larger than \(ByteSize(bytes: 4 << 20))\n")
    #expect(try program.run("replay").output.contains("  big  not kept: its requests"))
  }

  @Test func `keep_failed 0 keeps nothing`() throws {
    let server = try ScriptedServer { _, connection in connection.answer(500) }
    defer { server.stop() }
    let program = try Program()
    defer { program.remove() }
    for (count, kept) in [(0, 0), (2, 2)] {
      let config = try program.write(
        "fetchrun.yaml",
        """
        keep_failed: \(count)
        allow_private: true
        lanes: { "*": { gap: 0s } }
        jobs:
          - { name: news, plugin: rss, options: { url: "\(server.url)/" } }
        """)
      for _ in 0..<3 {
        #expect(try program.run("run", "--config", config).status == 1)
      }
      #expect(try program.run("replay").lines.count == kept)
    }
  }
}
