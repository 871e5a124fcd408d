import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests of secrets in plugins. The host gives a plugin only handles, stored texts are redacted,
/// and no value is stored.
@Suite struct SecretTests {
  static let value = #"s3cret/t0ken+"9"#

  private static func plugin(_ body: String, options: String = "") -> String {
    """
    local http, json, log = require "http", require "json", require "log"
    return {
      api = 1, name = "probe", version = "1.0.0",
      options = { url = { type = "url", required = true } },
      permissions = {
        http = { "{options.url}", "localhost:*" },
        secrets = {
          token = { hosts = { "{options.url}" }, required = true, description = "from the site" },
          other = { hosts = { "{options.url}" } },
        },
      },
      fetch = function(ctx)
        local url = ctx.options.url
        \(body)
      end,
    }
    """
  }

  /// Runs a plugin once with each of the given bodies, and then searches the store and the reports
  /// for the secret's value.
  private func run(
    _ bodies: String..., at server: ScriptedServer, value: String = value
  ) async throws -> [RunReport] {
    let bench = try await PluginBench(environment: ["TOKEN": value], hasFile: true)
    let file = bench.folder.appending(path: "probe.lua")
    var reports: [RunReport] = []
    for (number, body) in bodies.enumerated() {
      try FileManager.default.createDirectory(
        at: bench.folder.appending(path: "\(number)"), withIntermediateDirectories: true)
      try Data(Self.plugin(body).utf8).write(to: file)
      let path = bench.folder.appending(path: "\(number)/../probe.lua").path
      let job = try await bench.job(
        path, options: ValueObject([("url", .string(server.url + "/"))]),
        secrets: [GivenSecret(name: "token", source: .environment("TOKEN"))])
      reports.append(await bench.run(job))
    }
    try await bench.close()
    try Self.expectNoTrace(of: value, in: bench.folder, reports)
    return reports
  }

  /// Checks that neither the store's bytes nor any output contains the value.
  private static func expectNoTrace(
    of value: String, in folder: URL, _ reports: [RunReport]
  ) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.contains("store.sqlite"))
    for name in names where name.hasPrefix("store") {
      let bytes = try Data(contentsOf: folder.appending(path: name))
      #expect(bytes.range(of: Data(value.utf8)) == nil, "\(name)")
      #expect(bytes.range(of: Data(value.utf8).base64EncodedData().prefix(20)) == nil, "\(name)")
    }
    for report in reports {
      let texts =
        report.lines.map(\.json) + [report.record.json] + report.logs.map(\.message)
        + (report.record.outcome.failure?.traceback ?? [])
      #expect(texts.allSatisfy { !$0.contains("t0ken") })
    }
  }

  /// Returns a server that sends the received secret back in the body, a header, an error page and
  /// a redirect.
  private static func echo() throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      let got = request.header("authorization") ?? request.header("x-key") ?? ""
      let token = got.hasPrefix("Bearer ") ? String(got.dropFirst(7)) : got
      switch request.path.split(separator: "?").first {
      case "/moved":
        connection.answer(302, ["Location: /?k=\(PercentEncoding.encode(token))"])
      case "/error": connection.answer(500, ["X-Echo: \(token)"], "<p>no \(token)</p>")
      default:
        let text = try? JSONWriter.text(["got": .string(token), "path": .string(request.path)])
        connection.answer(200, ["X-Echo: \(token)", "ETag: \"\(token)\""], text ?? "")
      }
    }
  }

  @Test func `a handle can be used at each place of a request`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let reports = try await run(
      """
      local token = ctx:secret("token")
      http.get(url .. "a", { headers = { ["X-Key"] = "k " .. token .. "!" } })
      http.get(url .. "b", { bearer = token })
      http.get(url .. "c", { auth = { user = "ann", password = token } })
      http.get(url .. "d", { query = { q = token, a = "x y" } })
      http.get(url .. "e?z=1", { query = { q = "<" .. token } })
      http.post(url .. "f", { form = { k = token, list = { "a", token } } })
      http.post(url .. "g", { json = { deep = { token, json.null }, n = 1, e = json.array {} } })
      http.post(url .. "h", { body = "raw " .. token })
      http.get(url .. "i/" .. token .. "/j", { query = { a = 1 } })
      http.request { url = url .. "k?t=" .. token }
      """, at: server)
    #expect(reports[0].record.outcome.failure == nil)
    let sent = server.requests
    let encoded = PercentEncoding.encode(Self.value)
    #expect(sent[0].header("x-key") == "k \(Self.value)!")
    #expect(sent[1].header("authorization") == "Bearer \(Self.value)")
    let pair = Base64.text(Array("ann:\(Self.value)".utf8))
    #expect(sent[2].header("authorization") == "Basic \(pair)")
    #expect(sent[3].path == "/d?a=x%20y&q=\(encoded)")
    #expect(sent[4].path == "/e?z=1&q=%3C\(encoded)")
    #expect(sent[5].body == Array("k=\(encoded)&list=a&list=\(encoded)".utf8))
    #expect(sent[5].header("content-type") == "application/x-www-form-urlencoded")
    let body = try JSONReader.decode(String(decoding: sent[6].body, as: UTF8.self))
    #expect(body == ["deep": [.string(Self.value), .null], "n": 1, "e": []])
    #expect(sent[6].header("content-type") == "application/json")
    #expect(sent[7].body == Array("raw \(Self.value)".utf8))
    #expect(sent[8].path == "/i/\(encoded)/j?a=1")
    #expect(sent[9].path == "/k?t=\(encoded)")
  }

  @Test func `a secret of an earlier run is redacted when a server echoes it in a run without it`()
    async throws
  {
    let kept = Mutex("")
    let server = try ScriptedServer { request, connection in
      let got = request.header("x-key")
      if let got { kept.withLock { $0 = got } }
      connection.answer(200, [], kept.withLock { $0 })
    }
    defer { server.stop() }
    let reports = try await run(
      #"assert(http.get(url, { headers = { ["X-Key"] = ctx:secret("token") } }))"#,
      """
      local body = assert(http.get(url)).body
      assert(#body > 8 and not body:find("secret token", 1, true))
      log.info("it still has", body)
      return { { id = 1, title = body } }
      """, at: server)
    #expect(reports.allSatisfy { $0.record.outcome.failure == nil })
    #expect(reports[1].logs.map(\.message) == ["it still has [secret token]"])
    #expect(reports[1].lines.first?.json.contains("[secret token]") == true)
  }

  @Test func `an echoed secret is visible to the plugin, but in no stored or shown text`()
    async throws
  {
    let server = try Self.echo()
    defer { server.stop() }
    let reports = try await run(
      """
      local response = assert(http.get(url, { bearer = ctx:secret("token") }))
      local got = response:json().got
      assert(#got > 8 and got == response.headers["x-echo"])
      ctx.state.got = { [got] = got }
      log.info("got", got, response.headers["x-echo"])
      ctx:emit { id = "a " .. got, title = got, url = url .. "?k=" .. require "url".encode(got) }
      ctx:checkpoint()
      local base64 = require "base64"
      return { { id = 2, summary = response.body, fields = { base64.encode("me:" .. got) } } }
      """,
      """
      for key, got in pairs(ctx.state.got) do ctx:emit { id = 3, title = key .. got } end
      local response = assert(http.get(url .. "moved", { bearer = ctx:secret("token") }))
      ctx:emit { id = 4, title = response.url, summary = response:json().path }
      """,
      """
      local response = assert(http.get(url .. "error", { bearer = ctx:secret("token") }))
      local function deeper() error(response.body .. " " .. response.headers["x-echo"]) end
      deeper()
      """,
      """
      local response = assert(http.get(url .. "error", { bearer = ctx:secret("token") }))
      return nil, response.headers["x-echo"]
      """,
      """
      local response = assert(http.get(url, { bearer = ctx:secret("token") }))
      local got = response:json().got
      assert(load("local x = ...; error(x)", "=" .. got))(got)
      """, at: server)
    let titles = reports.flatMap(\.lines).map { $0.title ?? "" }
    #expect(
      titles == [
        "[secret token]", "", server.url + "/?k=[secret token]",
        "[secret token][secret token]",
      ])
    #expect(
      reports[0].logs == [LogLine(.info, "got [secret token] [secret token]")])
    #expect(
      reports[2].record.outcome.failure?.message == "<p>no [secret token]</p> [secret token]")
    #expect(
      reports[3].record.outcome.failure
        == Failure(.pluginFailed, "[secret token]"))
    #expect(reports[4].record.outcome.failure?.message.contains("[secret token]") == true)
  }

  @Test func `a value that the plugin joins from parts is redacted when it is stored`() async throws
  {
    let server = try ScriptedServer { request, connection in
      let token = request.header("authorization")?.dropFirst(7) ?? ""
      let pieces = [token.prefix(5), token.dropFirst(5)].map { piece in
        "\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n"
      }
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + pieces[0])
      connection.send(pieces[1] + "0\r\n\r\n")
    }
    defer { server.stop() }
    let reports = try await run(
      """
      local body = assert(http.get(url, { bearer = ctx:secret("token") })).body
      return { { id = 1, title = body, raw = body, tags = { body } } }
      """, at: server)
    #expect(reports[0].lines.map(\.title) == ["[secret token]"])
  }

  @Test func `a stored transfer contains its secrets by name`() async throws {
    let server = try Self.echo()
    defer { server.stop() }
    let reports = try await run(
      """
      local token = ctx:secret("token")
      local got = http.get(url, { bearer = token }):json().got
      for i, request in ipairs {
        { url = url .. "?k=" .. require "url".encode(got), to = "f" },
        { url = url, to = "f", headers = { ["X-Key"] = got } },
        { url = url, to = "f", headers = { ["X-Key"] = "Key " .. token .. got } },
        { url = "http://localhost/", to = "f", bearer = token },
        { url = "http://" .. token, to = "f" },
        { url = "file:///etc/hostname", to = "f", bearer = token },
      } do
        local id, problem, code = ctx:transfer(request)
        ctx:emit { id = i, title = tostring(id) .. " " .. code .. " " .. problem }
      end
      ctx:transfer {
        { url = url .. "?k=" .. token, to = "1", headers = { ["X-Key"] = "Key " .. token } },
        { url = url, to = "2", auth = { user = "ada", password = token } },
        { url = url, to = "3", bearer = token },
        { url = url, to = "4", auth = { aws = {
          key = token, secret = token, region = "eu", service = "s3" } } },
      }
      for i, auth in ipairs { { name = "ada" }, { aws = { key = "k" } } } do
        local ok, problem = pcall(ctx.transfer, { url = url, to = "f", auth = auth })
        ctx:emit { id = -i, title = tostring(ok) .. " " .. tostring(problem) }
      end
      """, at: server)
    let refused =
      "nil permission the transfer contains the plain value of a secret, which would be stored with "
      + "the transfer: use the handle from `ctx:secret` instead of the value"
    // The newest item is reported last, and the plugin gives the newest item first.
    let titles = Array(reports[0].lines.compactMap(\.title).reversed())
    #expect(
      titles == [
        refused, refused, refused,
        "nil permission the secret 'token' may not be sent to localhost (granted: 127.0.0.1, "
          + "127.0.0.1:\(server.port)); add the server to `hosts` of the secret in the config or "
          + "the case file if you trust it",
        "nil invalidURL the address \"http://\" has no hostname",
        "nil permission a secret cannot be used in a 'file:' address, because only servers may "
          + "receive secrets",
        "false probe.lua:35: transfer: auth has no field 'name'; "
          + "fields are user, password, bearer, aws",
        "false probe.lua:35: transfer: auth.aws needs key, secret, region and service",
      ])
    #expect(reports[0].transferCount == 4)
  }

  @Test func `a missing optional secret is nil`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let reports = try await run(
      """
      assert(ctx:secret("other") == nil and ctx.secret("token") == ctx:secret("token"))
      return { { id = tostring("<" .. ctx:secret("token") .. ">") } }
      """, at: server)
    #expect(reports[0].lines.map(\.key.text) == ["<secret(token)>"])
  }

  @Test func `a job without a required secret does not begin`() async throws {
    let bench = try await PluginBench(hasFile: true)
    let file = bench.folder.appending(path: "probe.lua")
    try Data(Self.plugin("").utf8).write(to: file)
    let options = ValueObject([("url", .string("https://a.example/"))])
    func messages(_ secrets: [GivenSecret]) async throws -> [String] {
      do {
        _ = try await bench.job(file.path, options: options, secrets: secrets)
        return []
      } catch let problems as OptionProblems {
        return problems.all.flatMap { [$0.description, $0.configMessage] }
      }
    }
    #expect(
      try await messages([]) == [
        "the secret 'token' (from the site) is missing: store it with `fetchrun secret set NAME`, "
          + "then add --secret token=stored:NAME; or add --secret token=env:VARIABLE",
        "the secret 'token' (from the site) is missing: store it with `fetchrun secret set NAME`, "
          + "then add token: { stored: NAME } to `secrets`; or add token: { env: VARIABLE }",
      ])
    let tokn = GivenSecret(name: "tokn", source: .stored("x"))
    #expect(
      try await messages([GivenSecret(name: "token", source: .stored("x")), tokn]).first
        == "the manifest does not ask for the secret 'tokn' (did you mean 'token'?); "
        + "it asks for other, token")
    try await bench.close()
  }

  // MARK: Hostile plugins

  @Test func `no operation of Lua on a handle reveals the secret's value`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let reports = try await run(
      """
      local token = ctx:secret("token")
      http.get(url, { bearer = token })
      local found = {}
      local function note(...)
        for _, value in pairs { ... } do found[#found + 1] = tostring(value) end
      end
      for name, f in pairs(string) do
        if name ~= "rep" then note(name, pcall(f, token, 1, 2)) end
      end
      for name, f in pairs(table) do note(name, pcall(f, { token }, 1, 1)) end
      note(next(token), rawlen(token), rawget(token, 1), rawget(token, "$secret"))
      note(pcall(rawset, token, "$secret", { "x" }), getmetatable(token))
      note(pcall(setmetatable, token, {}), tostring(token), pcall(select, "#", token))
      note(string.format("%s %q", token, tostring(token)), pcall(string.format, "%p", token))
      note(pcall(http.get, url, { headers = { ["X-A"] = { ["$secret"] = { "x" } } } }))
      for i, text in ipairs(found) do ctx:emit { id = i, title = text } end
      """, at: server)
    #expect(reports[0].record.outcome.failure == nil)
    #expect(reports[0].lines.count > 30)
    #expect(server.requests.first?.header("authorization") == "Bearer \(Self.value)")
  }

  @Test func `a forged handle can do no more than a real one`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let reports = try await run(
      """
      local forged = { ["$secret"] = { { name = "token" } } }
      local elsewhere = "http://localhost:1/"
      local _, first = http.post(elsewhere, { json = { forged, ctx:secret("token") } })
      local _, second = http.request { method = "POST", url = elsewhere, bearer = ctx:secret("token") }
      return { { id = 1, title = first }, { id = 2, title = second } }
      """, at: server)
    let refused =
      "the secret 'token' may not be sent to localhost (granted: 127.0.0.1, "
      + "127.0.0.1:\(server.port)); add the server to `hosts` of the secret in the config or "
      + "the case file if you trust it"
    #expect(reports[0].lines.map(\.title) == [refused, refused])
  }

  @Test func `a value that the plugin sends in clear is refused`() async throws {
    let server = try Self.echo()
    let thief = try ScriptedServer { _, connection in connection.answer(200) }
    defer {
      server.stop()
      thief.stop()
    }
    let reports = try await run(
      """
      local got = http.get(url, { bearer = ctx:secret("token") }):json().got
      local place = "http://localhost:\(thief.port)/"
      for i, options in ipairs {
        { query = { k = got } }, { headers = { ["X-K"] = got } }, { bearer = got },
        { auth = { user = "a", password = got } }, { form = { k = got } },
      } do
        local _, problem = http.post(place, options)
        ctx:emit { id = i, title = problem }
      end
      """, at: server)
    let refused =
      "the request would send the secret 'token' to localhost, where it may not be sent"
    #expect(reports[0].lines.map(\.title) == [String](repeating: refused, count: 5))
    #expect(thief.requests.isEmpty)
  }
}
