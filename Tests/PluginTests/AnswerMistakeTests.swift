import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of mistakes in reading a server's answer. The message about a missing field contains an
/// expression of the plugin, as written there, and the existing fields of the answer.
@Suite struct AnswerMistakeTests {
  @Test(arguments: [
    (
      "for _, book in ipairs(response:json().bookz) do ctx:emit(book) end",
      "ipairs got nil instead of a list: response:json() has no field 'bookz' (did you mean 'books'? it"
        + " has books, total)"
    ),
    (
      "local data = response:json() for _, b in ipairs(data.list.books) do ctx:emit(b) end",
      "data.list is nil: data has no field 'list' (it has books, total)"
    ),
    (
      "local data = response:json() ctx:emit { title = data.books[3].name }",
      "data.books[3] is nil: data.books is a list of 1 value"
    ),
    (
      "local data = response:json() ctx:emit { title = data.books[1].nmae:upper() }",
      "data.books[1].nmae is nil: data.books[1] has no field 'nmae' (did you mean 'name'? it has name)"
    ),
    (
      "local data = { [0] = 1 } ctx:emit { title = data.name:upper() }",
      "data.name is nil: data has no field 'name'"
    ),
    ("ctx:emit { title = response.json().total }", "call json with a colon: response:json()"),
    (
      "ctx:emit { title = response:jsno().total }",
      "response has no method 'jsno' (did you mean 'json'? it has body, headers, json,"
        + " not_modified, ok, same_body, status, url)"
    ),
  ]) func `the message lists the answer's fields`(body: String, message: String) async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(200, [], #"{"books":[{"name":"A"}],"total":1}"#)
    }
    defer { server.stop() }
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "books.lua")
    let text = """
      local http = require "http"
      return {
        api = 1, name = "books", version = "1.0.0",
        options = { url = { type = "url", required = true } },
        permissions = { http = { "{options.url}" } },
        fetch = function(ctx)
          local response = assert(http.get(ctx.options.url))
          \(body)
        end,
      }
      """
    try Data(text.utf8).write(to: file)
    let options = ValueObject([("url", .string(server.url + "/"))])
    let report = await bench.run(try await bench.job(file.path, options: options))
    try await bench.close()
    let failure = report.record.outcome.failure
    #expect(failure?.message == message)
    #expect(failure?.file == "books.lua" && failure?.line == 8)
  }

  @Test func `an error that the plugin catches also has its line`() async throws {
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "caught.lua")
    let text = """
      local html = require "html"
      return {
        api = 1, name = "caught", version = "1.0.0",
        fetch = function(ctx)
          local node = html.parse("<p>x</p>")
          local _, message = pcall(getmetatable(node).__tostring)
          ctx:emit { id = message }
        end,
      }
      """
    try Data(text.utf8).write(to: file)
    let report = await bench.run(try await bench.job(file.path))
    try await bench.close()
    let said = try #require(report.lines.first?.key.text)
    #expect(said.hasPrefix("caught.lua:6: attempt to index a nil value"), "\(said)")
  }
}
