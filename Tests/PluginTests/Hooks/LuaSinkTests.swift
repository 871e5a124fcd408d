import FetchEngine
import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of deliveries to hook files: the called function, its parameters, and the meaning of its
/// results.
@Suite struct LuaSinkTests {
  /// A hook file that posts its parameters to a server.
  static let teller = """
    local http = require "http"
    local function post(ctx, json)
      local response, problem = http.post(ctx.options.url, { json = json })
      if not response then return nil, problem end
      if not response.ok then return nil, "answered " .. response.status end
    end
    return {
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      on_new_data = function(run, changes, ctx) return post(ctx, { run = run, changes = changes }) end,
      on_failed = function(run, failure, ctx) return post(ctx, { run = run, failure = failure }) end,
      on_recovered = function(run, ctx) return post(ctx, { run = run }) end,
    }
    """

  private static func delivery(
    _ event: DeliveryEvent, _ payload: String, id: Int64 = 1
  ) -> Delivery {
    Delivery(
      id: id, hook: "phone", job: "ships", event: event, payload: payload, key: "key-\(id)",
      createdAt: Timestamp(seconds: 1_795_000_000))
  }

  static let run = #"""
    {"run":"01","job":"ships","plugin":"rss","trigger":"schedule","outcome":"newData","reason":null,\#
    "added":1,"updated":0,"removed":0,"startedAt":"2026-11-20T10:00:00.123Z","requests":1}
    """#

  private static func news(_ id: Int64) -> Delivery {
    delivery(
      .newData,
      #"{"id":"k","event":"newData","run":\#(run),"items":[{"sequence":\#(id),"job":"ships","#
        + #""id":"a\#(id)","change":"added","title":"T","url":null,"publishedAt":"2026-01-01","#
        + #""seenAt":"2026-11-20T10:00:00.123Z","fields":{"kind":"tug","tags":["x"]}}]}"#, id: id)
  }

  private func deliver(
    _ batch: DeliveryBatch?, text: String = teller, limits: Value = [:],
    _ script: @escaping ScriptedServer.Script = { _, connection in connection.answer(200) }
  ) async throws -> (end: DeliveryEnd, told: [Value]) {
    let server = try ScriptedServer(script)
    defer { server.stop() }
    let bench = try await PluginBench()
    let options = ValueObject([("url", .string(server.url + "/"))])
    let hook = try await bench.hook(
      text, options: text.contains("options =") ? options : ValueObject(), limits: limits)
    let end = await LuaSink(hook, services: bench.pipeline.services).deliver(try #require(batch))
    try await bench.close()
    let told = try server.requests.map {
      try JSONReader.decode(String(decoding: $0.body, as: UTF8.self))
    }
    return (end, told)
  }

  static let toldRun: Value = [
    "id": "01", "job": "ships", "plugin": "rss", "trigger": "schedule", "outcome": "newData",
    "added": 1, "updated": 0, "removed": 0, "started_at": "2026-11-20T10:00:00.123Z",
    "hook": "phone", "delivery": "key-1",
  ]

  private static func change(_ id: Int64) -> Value {
    [
      "change": "added", "id": .string("a\(id)"), "job": "ships", "sequence": .integer(id),
      "seen_at": "2026-11-20T10:00:00.123Z", "title": "T", "published": "2026-01-01",
      "kind": "tug", "tags": ["x"],
    ]
  }

  @Test func `news causes a call of on_new_data`() async throws {
    let (end, told) = try await deliver(DeliveryBatch([Self.news(1)]))
    #expect(end == .delivered)
    #expect(told == [["run": Self.toldRun, "changes": [Self.change(1)]]])
  }

  @Test func `the news in a digest causes one call, in order`() async throws {
    let failed = Self.delivery(
      .failed,
      #"{"run":{"run":"02","failure":{"code":"offline","message":"no net"}},"failures":3}"#, id: 3)
    let batch = DeliveryBatch([Self.news(1), Self.news(2), failed, Self.news(4)], isDigest: true)
    let (end, told) = try await deliver(batch)
    #expect(end == .delivered)
    #expect(told.count == 3)
    #expect(told.first?["changes"] == [Self.change(1), Self.change(2)])
    #expect(told.dropFirst().first?["failure"] == ["code": "offline", "message": "no net"])
    #expect(told.dropFirst().first?["run"]?["failures"] == 3)
    #expect(told.last?["run"]?["delivery"] == "key-4")
  }

  /// Returns a delivery of `count` items whose titles have the given length.
  private static func many(_ id: Int64, _ count: Int, titleLength: Int = 1) throws -> Delivery {
    let title = String(repeating: "x", count: titleLength)
    let items = (1...count).map { number -> Value in
      ["id": .string("\(id)-\(number)"), "change": "added", "title": .string(title)]
    }
    return delivery(.newData, try JSONWriter.text(["items": .array(items)]), id: id)
  }

  @Test func `a large digest causes several calls, each at most as large as a delivery`()
    async throws
  {
    let counter = """
      return {
        options = { url = { type = "url", required = true } },
        permissions = { http = { "{options.url}" } },
        on_new_data = function(run, changes, ctx)
          return require("http").post(ctx.options.url, { json = { count = #changes } })
        end,
      }
      """
    func counts(_ deliveries: [Delivery]) async throws -> [Int64?] {
      let batch = DeliveryBatch(deliveries, isDigest: true)
      let (end, told) = try await deliver(batch, text: counter)
      #expect(end == .delivered)
      return told.map { $0["count"]?.integerValue }
    }
    #expect(try await counts([Self.many(1, 300), Self.many(2, 200), Self.many(3, 1)]) == [500, 1])
    #expect(try await counts([Self.many(1, 500), Self.many(2, 500)]) == [500, 500])
    let large = try (1...3).map { try Self.many($0, 3, titleLength: 1 << 20) }
    #expect(try await counts(large) == [6, 3])
    #expect(try await counts([Self.many(1, 9, titleLength: 1 << 20), Self.many(2, 1)]) == [9, 1])
  }

  @Test func `a stale job is reported as a failure`() async throws {
    let stale = Self.delivery(
      .stale, #"{"run":null,"stale":{"what":"newData","since":"2026-11-01T00:00:00Z"}}"#)
    let (end, told) = try await deliver(DeliveryBatch([stale]))
    #expect(end == .delivered)
    #expect(told.first?["run"]?["job"] == "ships")
    #expect(
      told.first?["failure"] == [
        "code": "stale", "message": "nothing new since 2026-11-01T00:00:00Z", "retryable": true,
        "what": "newData", "since": "2026-11-01T00:00:00Z",
      ])
  }

  @Test func `an event without a function counts as delivered`() async throws {
    let none = Self.delivery(.noData, #"{"run":{}}"#)
    let (end, told) = try await deliver(DeliveryBatch([none]))
    #expect(end == .delivered)
    #expect(told == [])
  }

  // MARK: Attempts that fail

  @Test func `a server that is down causes a failed attempt, to be retried`() async throws {
    let (end, _) = try await deliver(DeliveryBatch([Self.news(1)])) { _, connection in
      connection.answer(503, ["Retry-After: 60"])
    }
    #expect(
      end
        == .failed(
          DeliveryFailure("answered 503", retryAt: Timestamp(seconds: 1_795_000_060))))
  }

  @Test(arguments: [200, 204, 301, 404, 503])
  func `a hook file may return the server's answer as its result`(status: Int) async throws {
    let text = """
      local http = require "http"
      return {
        permissions = { http = { "127.0.0.1" } }, options = { url = { type = "url", required = true } },
        on_new_data = function(run, changes, ctx)
          return http.post(ctx.options.url .. "secret?part", { json = { a = 1 }, redirects = false })
        end,
      }
      """
    let (end, _) = try await deliver(DeliveryBatch([Self.news(1)]), text: text) { _, connection in
      connection.answer(status)
    }
    guard !(200...299).contains(status) else {
      #expect(end == .delivered)
      return
    }
    guard case .failed(let failure) = end else {
      Issue.record("the attempt did not fail")
      return
    }
    #expect(failure.message.wholeMatch(of: /127\.0\.0\.1:\d+ answered \d+/) != nil)
    #expect(failure.message.hasSuffix(" answered \(status)"))
    #expect(failure.isRetryable)
  }

  @Test(arguments: [
    ("error('boom')", "hook.lua:1: boom"), ("return nil, 'not now'", "not now"),
    ("return false, 'no'", "no"),
  ])
  func `an error or a refusal is a failed attempt`(body: String, message: String) async throws {
    let (end, _) = try await deliver(
      DeliveryBatch([Self.news(1)]), text: "return { on_new_data = function() \(body) end }")
    #expect(end == .failed(DeliveryFailure(message)))
  }

  @Test func `a file address is refused without advice that only a job can follow`() async throws {
    let text = """
      return { on_new_data = function()
        local answer, problem = require("http").get("file:///etc/hostname")
        return answer, problem
      end }
      """
    let (end, _) = try await deliver(DeliveryBatch([Self.news(1)]), text: text)
    #expect(
      end
        == .failed(
          DeliveryFailure(
            "a hook cannot read files: only the plugin of a job can request a `file:` address")))
  }

  @Test func `an exceeded limit is a failed attempt`() async throws {
    let (end, _) = try await deliver(
      DeliveryBatch([Self.news(1)]),
      text: "return { on_new_data = function() while true do end end }", limits: ["cpu": "50ms"])
    #expect(
      end
        == .failed(
          DeliveryFailure(
            "hook.lua:1: the run used more than its 50 ms of CPU time (limit cpu); make the "
              + "Lua code do less or raise the limit")))
  }

  @Test func `the seconds that a hook file returns with its message set the time of the retry`()
    async throws
  {
    let (end, _) = try await deliver(
      DeliveryBatch([Self.news(1)]),
      text: "return { on_new_data = function() return nil, 'later', 90 end }")
    #expect(
      end
        == .failed(DeliveryFailure("later", retryAt: Timestamp(seconds: 1_795_000_090))))
  }
}
