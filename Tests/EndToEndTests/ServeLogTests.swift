import FetchValues
import Foundation
import Testing

/// Tests of the log of `serve`, and of its watch on the config and the plugin files.
@Suite(.serialized) struct ServeLogTests {
  @Test func `with --json every line of standard output and standard error is an object`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "talker.lua",
      """
      local log = require "log"
      return {
        api = 1, name = "talker", version = "1",
        fetch = function(ctx) log.warn("well") end,
      }
      """)
    let job = "jobs:\n  - {name: t, plugin: \(path), interval: 1h}\n"
    let config = try program.write("fetchrun.yaml", job)
    let serving = try Watched(program, ["serve", "--config", config, "--json"])
    serving.wait(for: .output) { $0.count == 1 }
    try program.write("fetchrun.yaml", "foo: 1\njobs: 7\n")
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "\"message\":\"config not reloaded: it has errors"))
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    let messages = try serving.messages.map { try JSONReader.decode($0) }
    #expect(
      messages.first?["message"]?.stringValue?.hasPrefix("serving 1 job of \(config) (sandbox: ")
        == true)
    #expect(messages.first?["level"] == "info")
    let line = messages.first { $0["job"] == "t" }
    #expect((line?["level"], line?["message"]) == ("warning", "well"))
    let faults = messages.filter { $0["level"] == "error" }
    #expect(
      faults.map { $0["message"] } == [
        .string("\(config):1:1: unknown key 'foo'"),
        .string("\(config):2:7: jobs must be a list of jobs: begin each job with '- name:'"),
        "config not reloaded: it has errors; still using the previous one",
      ])
    #expect(messages.allSatisfy { $0["at"]?.stringValue != nil })
    #expect(serving.output.count == 1)
    #expect(try JSONReader.decode(serving.output[0])["run"] != nil)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a stopped daemon ends with status 0, as its help states`(
    signal: Int32
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let plugin = "return { api = 1, name = \"q\", version = \"1\", fetch = function() end }"
    let path = try program.write("quiet.lua", plugin)
    let config = try program.write(
      "fetchrun.yaml", "jobs:\n  - {name: q, plugin: \(path), interval: never}\n")
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "serving 1 job"))
    serving.signal(signal)
    #expect(serving.end() == 0)
    let help = try program.run("--help").output.split(whereSeparator: \.isWhitespace)
    #expect(
      help.joined(separator: " ").contains(
        "143 terminated. When stopped by SIGINT or SIGTERM, serve ends with 0."))
    let own = try program.run("serve", "--help").output.split(whereSeparator: \.isWhitespace)
    #expect(
      own.joined(separator: " ").contains(
        "After SIGTERM or SIGINT (Ctrl-C), the exit status is 0"))
  }

  @Test func `a file that changes just before a reload is not missed`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "quiet.lua",
      "return { api = 1, name = \"quiet\", version = \"1\", fetch = function() end }")
    let watched = try program.write("watched.txt", "one")
    func jobs(_ more: String = "") -> String {
      "jobs:\n  - {name: w, plugin: \(path), interval: never, watch: \(watched)}\n" + more
    }
    let config = try program.write("fetchrun.yaml", jobs())
    let serving = try Watched(program, ["serve", "--config", config, "--json"])
    #expect(serving.wait(forMessage: "\"message\":\"serving 1 job"))
    let other = try program.write("other.txt", "one")
    try program.write(
      "fetchrun.yaml",
      jobs("  - {name: o, plugin: \(path), interval: never, watch: \(other)}\n"))
    try program.write("watched.txt", "two")
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "config reloaded: 2 jobs"))
    serving.wait(for: .output) { $0.count == 1 }
    #expect(serving.output[0].contains("\"job\":\"w\""))
    try program.write("other.txt", "two")
    serving.wait(for: .output) { $0.count == 2 }
    #expect(serving.output[1].contains("\"job\":\"o\""))
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }
}
