import FetchTestSupport
import FetchValues
import Testing

@testable import FetchWeb

/// Tests of the address of events: its parameters, its access, and whole streams over a socket.
@Suite(.timeLimit(.minutes(5))) struct EventRouteTests {
  private func site(_ daemon: ScriptedDaemon) async throws -> TestSite {
    let site = try TestSite(daemon: daemon.send)
    try await StoredRuns.add(1, to: site.store, job: "news", items: [("a", "A")])
    return site
  }

  @Test(arguments: [
    ("?types=item,runs", "invalidParameter"), ("?types=item,item", "invalidParameter"),
    ("?types=", "invalidParameter"), ("?since=5", "invalidParameter"),
    ("?since=-1-2", "invalidParameter"), ("?kinds=item", "unknownParameter"),
    ("?job=nobody", "unknownJob"), ("?job=news&job=news", "invalidParameter"),
  ])
  func `a wrong parameter is refused`(query: String, word: String) async throws {
    let site = try await site(ScriptedDaemon())
    let access = [("Authorization", "Bearer \(try site.token())")]
    let answer = await site.answer("GET", "/api/v1/events" + query, access)
    #expect(answer.word == word)
    let field = await site.answer("GET", "/api/v1/events", access + [("Last-Event-ID", "x")])
    #expect(field.status == 400)
  }

  @Test func `a token sees the events of its jobs alone`() async throws {
    let site = try await site(ScriptedDaemon())
    let other = [("Authorization", "Bearer \(try site.token("o", [.read], jobs: ["other*"]))")]
    #expect(await site.answer("GET", "/api/v1/events?job=news", other).word == "unknownJob")
    let without = [("Authorization", "Bearer \(try site.token("w", [.act]))")]
    #expect(await site.answer("GET", "/api/v1/events", without).word == "missingScope")
    #expect(await site.answer("GET", "/api/v1/events").status == 401)
    try await StoredRuns.add(2, to: site.store, job: "other one", items: [("b", "B")])
    let answer = await site.answer("GET", "/api/v1/events?since=0-0", other)
    guard case .stream(let body) = answer.body else { return #expect(Bool(false), "no stream") }
    let held = HeldStream()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await body(held) }
      try? await held.wait { $0.log.count == 2 }
      group.cancelAll()
    }
    #expect(held.received.log == ["item 2", "run 000002"])
  }

  @Test func `a stream says how to resume it and that no proxy may hold it back`() async throws {
    let site = try await site(ScriptedDaemon())
    let access = [("Authorization", "Bearer \(try site.token())")]
    let answer = await site.answer("GET", "/api/v1/events", access).complete
    #expect(answer.status == 200)
    #expect(answer.headers.first("Content-Type") == "text/event-stream")
    #expect(answer.headers.first("X-Accel-Buffering") == "no")
    #expect(answer.headers.first("Cache-Control") == "no-store")
  }

  @Test func `the ninth stream of a token is refused, and answers without a stream hold no place`()
    async throws
  {
    let site = try await site(ScriptedDaemon())
    let access = [("Authorization", "Bearer \(try site.token())")]
    for _ in 0..<20 { _ = await site.answer("HEAD", "/api/v1/events", access) }
    var kept: [WebResponse] = []
    for _ in 0..<WebLimits.streamsPerCallerMax {
      kept.append(await site.answer("GET", "/api/v1/events", access))
    }
    #expect(kept.allSatisfy { $0.status == 200 })
    let refused = await site.answer("GET", "/api/v1/events", access)
    #expect(refused.word == "tooManyRequests")
    #expect(refused.headers.first("Retry-After") == "15")
    kept.removeLast()
    #expect(await site.answer("GET", "/api/v1/events", access).status == 200)
  }

  // MARK: Over a socket

  private struct Connection {
    let client: RawClient

    init(_ server: RawServer, _ target: String, _ fields: String = "") throws {
      client = try RawClient(port: server.port)
      let token = try server.site.token("t\(UInt32.random(in: .min ... .max))")
      client.send(
        "GET \(target) HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"
          + "Authorization: Bearer \(token)\r\n\(fields)\r\n")
    }
  }

  @Test func `events arrive over a socket, and the last one says that the server stops`()
    async throws
  {
    let daemon = ScriptedDaemon()
    let server = try await RawServer(daemon: daemon.send)
    try await StoredRuns.add(1, to: server.site.store, items: [("a", "A")])
    let old = try Connection(server, "/api/v1/events?types=item,run&since=0-0")
    #expect(old.client.read(until: "id: 1-1\nevent: run").contains("id: 1-0\nevent: item\ndata: {"))
    let new = try Connection(server, "/api/v1/events?since=0-0", "Last-Event-ID: 1-1\r\n")
    let begun = new.client.read(until: "id: 1-1\n\n")
    #expect(begun.contains("\r\n\r\n") && begun.contains("retry: 3000\n"))
    try await StoredRuns.add(2, to: server.site.store, items: [("b", "B")])
    daemon.notify(items: 2, ended: 2)
    for one in [old, new] {
      #expect(!one.client.read(until: "event: run").contains(#""sequence":1,"#))
    }
    await server.stop()
    for one in [old, new] { #expect(one.client.rest().contains("event: bye\ndata: {}\n\n")) }
    #expect(server.site.site.context.metrics.counters.eventStreams == 0)
  }

  @Test func `a client that does not read is disconnected when it is too far behind`()
    async throws
  {
    let daemon = ScriptedDaemon()
    let server = try await RawServer(sendTimeout: .milliseconds(200), daemon: daemon.send)
    let content = String(repeating: "x", count: 50_000)
    let slow = try Connection(server, "/api/v1/events?types=item,run")
    _ = slow.client.read(until: "id: 0-0\n\n")
    let fast = try Connection(server, "/api/v1/events?types=item")
    _ = fast.client.read(until: "id: 0-0\n\n")
    let hub = server.site.site.context.events
    var number = 0
    while hub.clientCount == 2 {
      // The system buffers some megabytes for each client. A client whose stream is behind by more
      // than a page gets no more bytes. The second check of its progress disconnects the client.
      guard number < 400 else {
        await Task.yield()
        continue
      }
      number += 1
      try await StoredRuns.add(
        number, to: server.site.store, items: [("\(number)", "")], content: content)
      daemon.notify(items: Int64(number), ended: Int64(number))
      _ = fast.client.read(until: "\"sequence\":\(number),")
      await Task.yield()
    }
    #expect(hub.clientCount == 1)
    await server.stop()
    #expect(fast.client.rest().contains("event: bye"))
  }

  @Test func `a burst of megabytes disconnects nobody who reads`() async throws {
    let daemon = ScriptedDaemon()
    let server = try await RawServer(daemon: daemon.send)
    let content = String(repeating: "x", count: 20_000)
    let clients = try (0..<4).map { _ in try Connection(server, "/api/v1/events?types=run") }
    let reader = try Connection(server, "/api/v1/events?types=item,run")
    for one in clients + [reader] { _ = one.client.read(until: "id: 0-0\n\n") }
    try await StoredRuns.add(
      1, to: server.site.store, items: (0..<50).map { ("\($0)", "") }, content: content)
    daemon.notify(items: 50, ended: 1)
    for one in clients { #expect(one.client.read(until: "event: run").contains("id: 50-1")) }
    let text = reader.client.read(until: "event: run")
    #expect(text.utf8.count > 1_000_000)
    #expect(text.matches(of: /"sequence":\d+,/).count == 50)
    await server.stop()
  }
}
