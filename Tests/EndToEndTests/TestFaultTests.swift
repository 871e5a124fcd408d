import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of faults that a test case simulates, run by `fetchrun test`.
@Suite struct TestFaultTests {
  private static let plugin = """
    local http, log = require "http", require "log"
    return {
      api = 1, name = "ships", version = "1",
      options = { keeps = { type = "boolean", default = false } },
      permissions = { http = { "a.example" } },
      fetch = function(ctx)
        local response, problem, code = http.get("https://a.example/ships")
        if not response and not ctx.options.keeps then return nil, problem end
        if not response then log.info(code) return { { id = "0", title = "None" } } end
        return response:json()
      end,
    }
    """

  private static func recorded(_ fault: String) -> String {
    """
    runs:
      - requests:
          - { url: https://a.example/ships, fault: \(fault) }
      - requests:
          - { url: https://a.example/ships, answer: { body: '[{"id": "1", "title": "Ada"}]' } }
    """
  }

  private static let recovered = """
    {"change":"added","fields":{},"id":"1","publishedAt":null,"title":"Ada","url":null}
    {"added":1,"outcome":"newData","removed":0,"updated":0}

    """

  @Test(arguments: [
    ("timeout", "httpTimeout", "the answer from a.example was not complete in time"),
    ("offline", "offline", "this machine has no network; a.example was not reached"),
    // The host retries a cut answer once, so the fault needs two answers.
    ("cut, times: 2", "connection", "the answer from a.example was cut off"),
  ])
  func `a simulated fault fails its run, and the next run succeeds`(
    fault: String, code: String, message: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("ships.lua", Self.plugin)
    try program.write("ships.test/one/case.yaml", Self.recorded(fault))
    try program.write(
      "ships.test/one/expected.jsonl",
      #"{"code":"\#(code)","message":"\#(message)","outcome":"failed","retryable":true}"# + "\n"
        + Self.recovered)
    let clock = ContinuousClock()
    var ending: Program.Ending?
    // The simulated timeout does not take real time.
    let duration = try clock.measure { ending = try program.run("test", path) }
    #expect(
      ending?.output.hasPrefix("passed  ships  one  (expects: failed, ") == true,
      "\(String(describing: ending))")
    #expect(duration < .seconds(30))
  }

  @Test(arguments: [
    ("timeout", "httpTimeout"), ("offline", "offline"), ("cut, times: 2", "connection"),
  ])
  func `a plugin may recognise the fault by its code and continue`(fault: String, code: String)
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("ships.lua", Self.plugin)
    try program.write(
      "ships.test/one/case.yaml", "options: { keeps: true }\n" + Self.recorded(fault))
    try program.write(
      "ships.test/one/expected.jsonl",
      """
      {"change":"added","fields":{},"id":"0","publishedAt":null,"title":"None","url":null}
      {"log":"info","message":"\(code)"}
      {"added":1,"outcome":"newData","removed":0,"updated":0}

      """ + Self.recovered)
    let ending = try program.run("test", path)
    #expect(ending.output == "passed  ships  one\n", "\(ending)")
  }
}
