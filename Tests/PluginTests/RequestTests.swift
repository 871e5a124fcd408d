import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the requests that a server receives for the options of `http.…`.
@Suite struct RequestTests {
  struct Case: Sendable {
    var call: String
    var line: String
    var headers: [String: String] = [:]
    var body = ""
  }

  static let cases = [
    Case(call: #"http.get(url)"#, line: "GET /a?x=1"),
    Case(
      call: #"http.get(url, { query = { b = "ä &", a = { 1, 2 } } })"#,
      line: "GET /a?x=1&a=1&a=2&b=%C3%A4%20%26"),
    Case(call: ##"http.head(url .. "#part")"##, line: "HEAD /a?x=1"),
    Case(
      call: #"http.post(url, { json = { q = "lua" } })"#, line: "POST /a?x=1",
      headers: ["content-type": "application/json"], body: #"{"q":"lua"}"#),
    Case(
      call: #"http.post(url, { form = { q = "a b", n = 1 } })"#, line: "POST /a?x=1",
      headers: ["content-type": "application/x-www-form-urlencoded"], body: "n=1&q=a%20b"),
    Case(
      call: #"http.put(url, { body = "\0\255", headers = { ["Content-Type"] = "a/b" } })"#,
      line: "PUT /a?x=1", headers: ["content-type": "a/b", "content-length": "2"]),
    Case(call: #"http.patch(url, { body = "p" })"#, line: "PATCH /a?x=1", body: "p"),
    Case(call: #"http.delete(url)"#, line: "DELETE /a?x=1"),
    Case(
      call: #"http.request { method = "PROPFIND", url = url, headers = { Depth = 1 } }"#,
      line: "PROPFIND /a?x=1", headers: ["depth": "1"]),
    Case(
      call: #"http.get(url, { auth = { user = "u", password = "p:w" } })"#, line: "GET /a?x=1",
      headers: ["authorization": "Basic dTpwOnc="]),
    Case(
      call: #"http.get(url, { bearer = "t0k3n" })"#, line: "GET /a?x=1",
      headers: ["authorization": "Bearer t0k3n"]),
  ]

  @Test(arguments: cases.indices) func `a call sends the expected request`(index: Int) async throws
  {
    let wanted = Self.cases[index]
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "probe.lua")
    try Data(plugin(wanted.call).utf8).write(to: file)
    let options = ValueObject([("url", .string(server.url + "/a?x=1"))])
    let report = await bench.run(try await bench.job(file.path, options: options))
    try await bench.close()
    #expect(report.record.outcome.failure == nil)
    let request = try #require(server.requests.first)
    #expect("\(request.method) \(request.path)" == wanted.line)
    for (name, value) in wanted.headers { #expect(request.header(name) == value) }
    if !wanted.body.isEmpty { #expect(request.body == Array(wanted.body.utf8)) }
  }

  @Test func `reading the JSON of a 304 is a mistake whose message has advice`() async throws {
    let server = try ScriptedServer { request, connection in
      if request.header("if-none-match") == nil {
        connection.answer(200, ["ETag: \"1\""], "[]")
      } else {
        connection.answer(304)
      }
    }
    defer { server.stop() }
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "probe.lua")
    try Data(plugin("http.get(url):json()").utf8).write(to: file)
    let options = ValueObject([("url", .string(server.url + "/"))])
    let job = try await bench.job(file.path, options: options)
    let first = await bench.run(job)
    let second = await bench.run(job)
    try await bench.close()
    #expect(first.record.outcome == .noData(.empty))
    #expect(
      second.record.outcome.failure?.message
        == "\(server.url)/ has not changed since the last run, so there is no body;"
        + " check response.not_modified first, or set conditional = false")
  }

  private func plugin(_ call: String) -> String {
    """
    local http = require "http"
    return {
      api = 1, name = "probe", version = "1.0.0",
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        local url = ctx.options.url
        assert(\(call))
      end,
    }
    """
  }
}
