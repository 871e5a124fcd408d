import FetchHost
import FetchModel
import FetchValues
import Testing

struct WorkerRunTests {
  @Test func `a plugin's items are returned in their order`() async throws {
    let end = try await WorkerPool.once(
      .fetching("return { {id = 'a', title = 'A'}, {id = 2, tags = {'x'}, more = {1, 2.5}} }"))
    let products = try end.result.get()
    var first = ParsedItem()
    first.id = "a"
    first.title = "A"
    var second = ParsedItem()
    second.id = "2"
    second.tags = ["x"]
    second.fields.append("more", [1, 2.5])
    #expect(products.items == [first, second])
    #expect(products.state == nil)
  }

  @Test func `a run that has ended is released, with all its answers`() async throws {
    let pool = try WorkerPool.forTests()
    let run = WorkerRun(plugin: .fetching("return {}"), seed: 1)
    weak var calls: RecordedCalls?
    for _ in 0..<3 {
      let own = RecordedCalls { _ in .raises("no call was expected") }
      calls = own
      #expect(await pool.run(run, calls: own).products == WorkerProducts())
    }
    // The status is requested after the run. When the status arrives, the pool's thread has
    // released the run.
    _ = await pool.status()
    #expect(calls == nil)
    await pool.shutdown()
  }

  @Test func `a plugin that returns nothing has no items`() async throws {
    let end = try await WorkerPool.once(.fetching(""))
    var nothing = WorkerProducts()
    nothing.returnedNothing = true
    #expect(try end.result.get() == nothing)
  }

  @Test func `emitted items come before returned ones and keep their values`() async throws {
    let end = try await WorkerPool.once(
      .fetching(
        """
        local item = {id = '1'}
        ctx:emit(item)
        item.id = '2'
        ctx.emit(item)
        return { {id = '3'} }
        """))
    #expect(try end.result.get().items.map(\.id) == ["1", "2", "3"])
  }

  @Test func `the hints of feeds are returned with the items`() async throws {
    let end = try await WorkerPool.once(
      .fetching(
        """
        local feed = require "feed"
        return feed.parse("<rss><channel><ttl>60</ttl><item><title>t</title></item></channel></rss>")
        """))
    let products = try end.result.get()
    #expect(products.items.count == 1)
    #expect(products.feedHints.ttl == .seconds(3600))
  }

  @Test func `state is returned only if it changed`() async throws {
    let before: ValueObject = ValueObject([("state", ["seen": 3, "list": [1, 2]])])
    let same = try await WorkerPool.once(
      .fetching("ctx.state.list = {1, 2}"), arguments: before)
    #expect(try same.result.get().state == nil)
    let changed = try await WorkerPool.once(
      .fetching("ctx.state.seen = ctx.state.seen + 1"), arguments: before)
    #expect(try changed.result.get().state == ["seen": 4, "list": [1, 2]])
  }

  @Test func `an expected failure has the plugin's own message`() async throws {
    let end = try await WorkerPool.once(.fetching("return nil, 'nobody home'"))
    #expect(end.failure == Failure(.pluginFailed, "nobody home"))
  }

  @Test func `a failed host call whose error a plugin returns keeps its code`() async throws {
    let offline = Failure(.offline, "there is no network", retryable: true)
    let calls = RecordedCalls { _ in .failure(offline) }
    for body in ["return http.get('http://a.test/')", "assert(http.get('http://a.test/'))"] {
      let end = try await WorkerPool.once(
        .text("local http = require 'http' return { fetch = function() \(body) end }"),
        calls: calls)
      #expect(end.failure?.code == .offline)
      #expect(end.failure?.message == offline.message)
      #expect(end.failure?.retryable == true)
    }
  }

  @Test func `an error has file, line and the plugin's frames`() async throws {
    let end = try await WorkerPool.once(
      .text("local function f() error('broken') end\nreturn { fetch = function()\nf()\nend }"))
    let failure = try #require(end.failure)
    #expect(failure.code == .pluginError)
    #expect(failure.message == "broken")
    #expect(failure.file == "probe.lua")
    #expect(failure.line == 1)
    #expect(
      failure.traceback == [
        "probe.lua:1: in upvalue 'f'", "probe.lua:3: in function <probe.lua:2>",
      ] || failure.traceback.count == 2)
  }

  @Test func `a call of the host returns the host's values`() async throws {
    let calls = RecordedCalls { call in
      let url = (try? call.values().first?["url"]?.stringValue) ?? "?"
      return .values([
        [
          "status": 200, "url": .string(url), "body": "{\"n\":[1,null]}",
          "headers": ["content-type": "application/json"], "not_modified": false,
          "same_body": false,
        ]
      ])
    }
    let end = try await WorkerPool.once(
      .text(
        """
        local http = require "http"
        return { fetch = function(ctx)
          local response = http.get("http://a.test/x", {query = {q = "ä b", a = 1}})
          return { {id = response.url, title = response.headers["Content-TYPE"],
            n = response:json().n[1], ok = response.ok} }
        end }
        """), calls: calls)
    let item = try #require(try end.result.get().items.first)
    #expect(item.id == "http://a.test/x?a=1&q=%C3%A4%20b")
    #expect(item.title == "application/json")
    #expect(item.fields == ValueObject([("n", 1), ("ok", true)]))
    #expect(end.usage.hostCallCount == 1)
  }

  @Test func `log lines have their level`() async throws {
    let end = try await WorkerPool.once(
      .text(
        """
        local log = require "log"
        return { fetch = function() log.info("a", 1, nil) log.warn("b") end }
        """))
    #expect(end.logs == [LogLine(.info, "a 1 nil"), LogLine(.warning, "b")])
  }

  @Test func `the manifest is the plugin's table, with its functions listed by name`() async throws
  {
    let pool = try WorkerPool.forTests()
    let manifest = await pool.inspect(
      .text("return { name = 'x', options = {a = {type = 'url'}}, fetch = print_ , }"))
    guard case .failure(let failure) = manifest else { throw Unexpected() }
    #expect(failure.code == .invalidPlugin)
    #expect(failure.line == 1)
    let good = await pool.inspect(
      .text("return { name = 'x', options = {a = {type = 'url'}}, fetch = function() end }"))
    #expect(
      try good.get() == ["name": "x", "options": ["a": ["type": "url"]], "functions": ["fetch"]])
    let noisy = await pool.inspect(
      .text("require 'log'.info('loading') return { name = 'x', fetch = function() end }"))
    #expect(try noisy.get() == ["name": "x", "functions": ["fetch"]])
    await pool.shutdown()
  }
}

struct Unexpected: Error {}
