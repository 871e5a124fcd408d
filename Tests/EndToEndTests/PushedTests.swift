import FetchModel
import FetchValues
import Foundation
import Glibc
import Testing

/// Tests of pushes over HTTP, with the real programs.
@Suite(.serialized) struct PushedTests {
  @Test func `a signed push to a job's address runs the job, and no other process has its secret`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let file = try program.write(
      "count.lua",
      """
      return {
        api = 1, name = "count", version = "1.0.0", description = "counts", interval = "never",
        fetch = function(ctx)
          ctx.state.run = (ctx.state.run or 0) + 1
          return { { id = "r" .. ctx.state.run, title = ctx.trigger } }
        end,
      }
      """)
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: s.sqlite
      web: { listen: [], url: https://fetch.example.org }
      jobs:
        - { name: alpha, plugin: \(file), push: { secret: { file: secret }, signature: standard-webhooks } }
      """)
    let secret = try program.write("secret", "canary-5f0c")
    chmod(secret, 0o600)
    let printed = try program.run("push", "--address", "alpha", "--config", config)
    #expect(printed.status == 0, "\(printed.messages)")
    let address = printed.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(address.wholeMatch(of: /https:\/\/fetch\.example\.org\/push\/[A-Za-z0-9_-]{22}/) != nil)
    let path = String(address.dropFirst("https://fetch.example.org".count))

    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "serving "))
    let web = try Watched(program, ["web", "--config", config])
    #expect(web.wait(forMessage: "listening only at the unix socket"))
    let http = UnixHTTP(program.folder.path + "/s.sqlite.web")
    func push(_ id: String, key: String) throws -> UnixHTTP.Answer {
      let now = Timestamp(seconds: Int64(time(nil)))
      let fields = StandardWebhook.fields(
        id: id, at: now, body: Array("{}".utf8), key: Array(key.utf8))
      return try http.send(
        "POST \(path) HTTP/1.1\r\nHost: fetch.example.org\r\nConnection: close\r\n"
          + fields.map { "\($0.name): \($0.value)\r\n" }.joined()
          + "Content-Length: 2\r\n\r\n{}")
    }
    let wrong = try push("a", key: "canary")
    #expect(wrong.status == 403)
    let right = try push("b", key: "canary-5f0c")
    #expect(right.status == 202)
    #expect(right.body == #"{"job":"alpha","answer":"due","why":null}"# + "\n")
    #expect(serving.wait(for: .output) { lines in lines.contains { $0.contains("alpha") } })
    for answer in [wrong, right] { #expect(!(answer.head + answer.body).contains("canary")) }
    let runs = try program.run("runs", "alpha", "--json", "--config", config).output
    #expect(runs.contains(#""trigger":"push""#))
    let removed = try program.run("push", "--remove-address", "alpha", "--config", config)
    #expect(removed.status == 0)
    #expect(try push("c", key: "canary-5f0c").status == 404)
    web.signal(SIGTERM)
    #expect(web.end() == 0)
    serving.signal(SIGTERM)
    _ = serving.end()
  }
}
