import FetchValues
import Foundation
import Glibc
import Testing

/// Tests of `fetchrun web`, `fetchrun token` and the API, with the real programs.
@Suite(.serialized) struct WebTests {
  let program: Program
  private let config: String

  private static let plugin = """
    return {
      api = 1, name = "web-test", version = "1.0.0", description = "items that change",
      options = { count = { type = "integer", default = 3 } }, interval = "1h",
      fetch = function(ctx)
        local items = {}
        ctx.state.run = (ctx.state.run or 0) + 1
        for number = 1, ctx.options.count do
          items[number] = {
            id = "i" .. number, title = "Title \\u{202E}" .. number .. " of " .. ctx.state.run,
            url = "https://example.org/" .. number, content = ("line\\n"):rep(number),
          }
        end
        return items
      end,
    }
    """

  init() throws {
    program = try Program()
    let file = try program.write("web-test.lua", Self.plugin)
    config = try program.write(
      "fetchrun.yaml",
      """
      store: s.sqlite
      web: { listen: [], url: https://fetch.example.org }
      jobs:
        - { name: alpha, plugin: \(file) }
        - { name: b/ä, plugin: \(file), options: { count: 2 } }
      """)
  }

  private var socket: String { program.folder.path + "/s.sqlite.web" }

  /// Starts the server, which then listens at its unix socket.
  private func web() throws -> Watched {
    let web = try Watched(program, ["web", "--config", config])
    #expect(web.wait(forMessage: "listening only at the unix socket"))
    return web
  }

  private func serve() throws -> Watched {
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "serving "))
    return serving
  }

  private func lines(_ words: String...) throws -> String {
    try program.run(words + ["--config", config, "--json"]).output
  }

  private func get(_ target: String, lines: Bool = true) throws -> UnixHTTP.Answer {
    try UnixHTTP(socket).get(target, lines ? "Accept: application/x-ndjson\r\n" : "")
  }

  @Test func `the page is refused without an address that a browser can open`() throws {
    defer { program.remove() }
    let file = try program.write("web-test.lua", Self.plugin)
    let closed = try program.write(
      "closed.yaml",
      """
      store: s.sqlite
      web: { listen: [] }
      jobs: [{ name: alpha, plugin: \(file) }]
      """)
    let ending = try program.run("web", "--config", closed)
    #expect(ending.status == 1)
    #expect(
      ending.messages == """
        fetchrun-web: web.listen names no address: add an address to web.listen, or set web.url to \
        the address of a reverse proxy

        """)
  }

  @Test func `each list is what the command prints, byte by byte`() throws {
    defer { program.remove() }
    for _ in 0..<2 { #expect(try program.run("run", "--config", config).status == 0) }
    let serving = try serve()
    let web = try web()
    let lists = [
      ("/api/v1/items?limit=50", ["items"]), ("/api/v1/items?job=alpha", ["items", "alpha"]),
      ("/api/v1/items?since=2", ["items", "--since", "2"]),
      ("/api/v1/runs?limit=20", ["runs"]), ("/api/v1/runs?job=b%2F%C3%A4", ["runs", "b/ä"]),
      ("/api/v1/transfers", ["transfers"]), ("/api/v1/deliveries", ["deliveries"]),
      ("/api/v1/jobs", ["status"]), ("/api/v1/jobs/b%2F%C3%A4/explain", ["explain", "b/ä"]),
      ("/api/v1/budget", ["budget"]),
    ]
    for (target, words) in lists {
      // Sentences about a remaining time may change between two requests.
      var (printed, answered) = ("", "")
      for _ in 0..<5 {
        printed = try program.run(words + ["--config", config, "--json"]).output
        answered = try get(target).body
        if printed == answered { break }
      }
      #expect(Array(printed.utf8) == Array(answered.utf8), "\(target)")
    }
    let item = try #require(
      try lines("items", "alpha", "--limit", "1").split(separator: "\n").first)
    let sequence = try #require(try JSONReader.decode(String(item))["sequence"]?.integerValue)
    let id = try #require(try JSONReader.decode(String(item))["id"]?.stringValue)
    #expect(
      try get("/api/v1/items/\(sequence)/versions").body == lines("diff", "alpha", id))
    #expect(
      try get("/api/v1/items/\(sequence)/diff").body + "\n"
        == program.run("diff", "alpha", id, "--config", config).output)
    web.signal(SIGTERM)
    #expect(web.end() == 0)
    serving.signal(SIGTERM)
    _ = serving.end()
  }

  @Test func `pages follow each other and end`() throws {
    defer { program.remove() }
    #expect(try program.run("run", "--config", config).status == 0)
    let web = try web()
    for start in ["/api/v1/items?limit=2", "/api/v1/items?since=0&limit=2", "/api/v1/runs?limit=1"]
    {
      var target: String? = start
      var seen: [Value] = []
      while let next = target, seen.count < 20 {
        let page = try JSONReader.decode(try get(next, lines: false).body)
        seen += page["data"]?.arrayValue ?? []
        target = page["next"]?.stringValue
      }
      #expect(seen.count == (start.contains("runs") ? 2 : 5), "\(start)")
    }
    web.signal(SIGTERM)
    _ = web.end()
  }

  @Test func `without a daemon the store is shown, and the rest is 503`() throws {
    defer { program.remove() }
    #expect(try program.run("run", "--config", config).status == 0)
    let web = try web()
    #expect(try get("/api/v1/items").status == 200)
    let overview = try get("/api/v1/overview", lines: false)
    #expect(try JSONReader.decode(overview.body)["daemon"] == false)
    let jobs = try get("/api/v1/jobs", lines: false)
    #expect(jobs.status == 503)
    #expect(jobs.body.contains("urn:fetchrun:problem:noDaemon"))
    web.signal(SIGTERM)
    _ = web.end()
  }

  @Test func `the process can write only in its own folder`() throws {
    defer { program.remove() }
    let modules = try? String(contentsOfFile: "/sys/kernel/security/lsm", encoding: .utf8)
    guard modules?.contains("landlock") == true else { return }
    #expect(try program.run("run", "--config", config).status == 0)
    let web = try web()
    #expect(try get("/api/v1/items").status == 200)
    let files = FileManager.default
    #expect(files.fileExists(atPath: program.folder.path + "/s.sqlite.web.d/reads"))
    #expect(!files.fileExists(atPath: program.folder.path + "/s.sqlite.reads"))
    web.signal(SIGTERM)
    _ = web.end()
  }

  @Test func `tokens are added, listed and removed`() throws {
    defer { program.remove() }
    let added = try program.run(
      "token", "add", "phone", "--scope", "read,act", "--jobs", "news*", "--expires", "90d",
      "--config", config)
    #expect(added.status == 0)
    #expect(added.output.hasPrefix("frt_"))
    #expect(added.lines.first?.utf8.count == 47)
    let listed = try JSONReader.decode(try lines("token", "list"))
    #expect(listed["name"] == "phone")
    #expect(listed["scopes"] == ["read", "act"])
    #expect(listed["jobs"] == ["news*"])
    #expect(listed["lastUsedAt"] == nil || listed["lastUsedAt"] == .null)
    let again = try program.run("token", "add", "phone", "--config", config)
    #expect(again.status == 1)
    #expect(again.messages.contains("the token 'phone' already exists"))
    let wrong = try program.run("token", "add", "x", "--scope", "raed", "--config", config)
    #expect(wrong.status == 64)
    #expect(wrong.messages.contains("did you mean 'read'?"))
    #expect(try program.run("token", "remove", "phone", "--config", config).status == 0)
    #expect(try lines("token", "list") == "")
    let gone = try program.run("token", "remove", "phone", "--config", config)
    #expect(gone.messages.contains("there is no token 'phone'"))
  }

  @Test func `the schema is printed`() throws {
    defer { program.remove() }
    let printed = try program.run("schema", "--openapi")
    #expect(try JSONReader.decode(printed.output)["openapi"] == "3.1.0")
  }
}

/// A client that sends requests over a unix socket.
struct UnixHTTP {
  struct Answer {
    var status: Int
    var head: String
    var body: String
  }

  struct Failed: Error {}

  private let path: String

  init(_ path: String) { self.path = path }

  func get(_ target: String, _ fields: String = "") throws -> Answer {
    try send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(fields)\r\n")
  }

  func send(_ request: String) throws -> Answer {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { throw Failed() }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    let bytes = Array(request.utf8)
    guard isConnected, Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else { throw Failed() }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = recv(socket, &chunk, chunk.count, 0), count > 0 {
      all += chunk[..<count]
    }
    return try Self.answer(String(decoding: all, as: UTF8.self))
  }

  private static func answer(_ text: String) throws -> Answer {
    guard let end = text.firstRange(of: "\r\n\r\n"),
      let status = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw Failed() }
    return Answer(
      status: status, head: String(text[..<end.lowerBound]), body: String(text[end.upperBound...]))
  }
}
