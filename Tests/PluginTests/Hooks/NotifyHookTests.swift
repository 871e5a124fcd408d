import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the shipped hook files in plugins/hooks. A scripted server stands for each service, and
/// the tests check the requests against the service's documentation.
@Suite struct NotifyHookTests {
  static let folder = PluginBench.top.appending(path: "plugins/hooks")

  static let run = ValueObject([
    ("id", "01-run"), ("job", "a <b> & c"), ("plugin", "rss"), ("delivery", "01-run_notes_0_0"),
  ])

  static let changes: Value = [
    [
      "change": "added", "id": "1", "title": "One & <two> | *three* @here",
      "url": "https://example.org/?a=1&b=2|3",
    ],
    ["change": "updated", "id": "2", "title": "Zwei äöü 🎉"],
  ]

  private struct Sent {
    var method: String
    var path: String
    var authorization: String?
    var type: String?
    var json: Value
  }

  /// Calls a function of a shipped hook file. The server sends the given answer.
  private func call(
    _ name: String, _ function: HookFunction, told: Value? = nil, options: [(String, Value)],
    token: String? = "s3cret-t0ken", status: Int = 200, headers: [String] = [],
    answer: String = "{}"
  ) async throws -> (sent: Sent?, end: HookEnd) {
    let server = try ScriptedServer { _, connection in
      connection.answer(status, headers, answer)
    }
    defer { server.stop() }
    let bench = try await PluginBench(environment: ["TOKEN": token ?? ""])
    let hook = try await bench.hook(
      file: Self.folder.appending(path: name + ".lua").path,
      options: ValueObject([("server", .string(server.url))] + options),
      secrets: token == nil ? [] : [GivenSecret(name: "token", source: .environment("TOKEN"))])
    let end = await HookCall(hook, function, run: Self.run, told: told).made(
      by: bench.pipeline.services)
    try await bench.close()
    let sent = try server.requests.first.map { request in
      Sent(
        method: request.method, path: request.path,
        authorization: request.header("authorization"), type: request.header("content-type"),
        json: try JSONReader.decode(String(decoding: request.body, as: UTF8.self)))
    }
    return (sent, end)
  }

  // MARK: ntfy

  /// The rules are from https://docs.ntfy.sh/publish/#publish-as-json.
  @Test func `ntfy receives one message as JSON at the server's root`() async throws {
    let (sent, end) = try await call(
      "ntfy", .onNewData, told: Self.changes, options: [("topic", "news")])
    #expect(end.failure == nil)
    #expect(sent?.method == "POST")
    #expect(sent?.path == "/")
    #expect(sent?.authorization == "Bearer s3cret-t0ken")
    #expect(sent?.type == "application/json")
    #expect(
      sent?.json == [
        "topic": "news", "title": "a <b> & c: 2",
        "message": "One & <two> | *three* @here\nupdated: Zwei äöü 🎉",
        "sequence_id": .string(Self.sequence), "click": "https://example.org/?a=1&b=2|3",
      ])
  }

  /// The id of the message: the first half of the SHA-256 of `delivery` in `run`, so that a
  /// repeated message replaces the first one.
  static let sequence = "cfe3e9000fe1c1e10c3683c68e123ebe"

  @Test func `ntfy works without a token`() async throws {
    let (sent, end) = try await call(
      "ntfy", .onRecovered, options: [("topic", "news")], token: nil)
    #expect(end.failure == nil)
    #expect(sent?.authorization == nil)
    #expect(
      sent?.json == [
        "topic": "news", "title": "a <b> & c", "message": "works again",
        "sequence_id": .string(Self.sequence),
      ])
  }

  @Test func `a failure has its own priority for ntfy`() async throws {
    let (sent, _) = try await call(
      "ntfy", .onFailed, told: ["code": "httpStatus", "message": "answered 500"],
      options: [("topic", "news")])
    #expect(
      sent?.json == [
        "topic": "news", "title": "a <b> & c fails", "message": "answered 500",
        "sequence_id": .string(Self.sequence), "priority": 4, "tags": ["warning"],
      ])
  }

  // MARK: Matrix

  /// The rules are from
  /// https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
  @Test func `a Matrix room receives an event whose transaction id is that of the delivery`()
    async throws
  {
    let (sent, end) = try await call(
      "matrix", .onNewData, told: Self.changes, options: [("room", "!abc:example.org")])
    #expect(end.failure == nil)
    #expect(sent?.method == "PUT")
    let path = sent?.path.replacing("%21", with: "!").replacing("%3A", with: ":")
    #expect(
      path
        == "/_matrix/client/v3/rooms/!abc:example.org/send/m.room.message/01-run_notes_0_0")
    #expect(sent?.authorization == "Bearer s3cret-t0ken")
    #expect(
      sent?.json == [
        "msgtype": "m.notice", "format": "org.matrix.custom.html",
        "body": """
        a <b> & c
        One & <two> | *three* @here https://example.org/?a=1&b=2|3
        updated: Zwei äöü 🎉
        """,
        "formatted_body": """
        <b>a &lt;b&gt; &amp; c</b><br><a href="https://example.org/?a=1&amp;b=2|3">\
        One &amp; &lt;two&gt; | *three* @here</a><br>updated: Zwei äöü 🎉
        """,
      ])
  }

  /// The rules are those of https://spec.matrix.org/latest/client-server-api/#rate-limiting for
  /// servers before version 1.10.
  @Test func `a Matrix server's answer may contain the time to wait`() async throws {
    let (_, end) = try await call(
      "matrix", .onRecovered, options: [("room", "!a:b.example")], status: 429,
      answer: #"{"errcode":"M_LIMIT_EXCEEDED","error":"slow","retry_after_ms":34500}"#)
    #expect(end.failure?.message == "the homeserver answered 429")
    #expect(end.retryAfter == Timestamp(seconds: 1_795_000_035))
  }

  /// The limit is 65,536 bytes, including the server's additions to an event:
  /// https://spec.matrix.org/latest/client-server-api/#size-limits
  @Test(arguments: ["\\", "\"", "\u{1}", "&"])
  func `even large news give an event that is not too large for Matrix`(character: String)
    async throws
  {
    let title = String(repeating: character, count: 300)
    let changes = (0..<400).map { number -> Value in
      [
        "change": "added", "id": .string("\(number)"), "title": .string(title),
        "url": .string("https://example.org/" + String(repeating: "a", count: 400)),
      ]
    }
    let (sent, end) = try await call(
      "matrix", .onNewData, told: .array(changes), options: [("room", "!a:b.example")])
    #expect(end.failure == nil)
    let json = try JSONWriter.text(try #require(sent?.json))
    #expect(json.utf8.count < 62_000)
    #expect(json.utf8.count > 15_000)
  }

  // MARK: Slack

  /// The rules are from https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks.
  @Test func `Slack receives text with its three references and links`() async throws {
    let (sent, end) = try await call(
      "slack", .onNewData, told: Self.changes, options: [("webhook", "T0/B0")], answer: "ok")
    #expect(end.failure == nil)
    #expect(sent?.method == "POST")
    #expect(sent?.path == "/T0/B0/s3cret-t0ken")
    #expect(sent?.type == "application/json")
    #expect(
      sent?.json == [
        "text": """
        *a &lt;b&gt; &amp; c*
        <https://example.org/?a=1&amp;b=2%7C3|One &amp; &lt;two&gt; | *three* @here>
        updated: Zwei äöü 🎉
        """
      ])
  }

  /// The rules are from https://docs.discord.com/developers/resources/webhook#execute-webhook.
  @Test func `Discord receives escaped Markdown without mentions`() async throws {
    let (sent, end) = try await call(
      "discord", .onNewData, told: Self.changes, options: [("webhook", "123")], status: 200)
    #expect(end.failure == nil)
    #expect(sent?.method == "POST")
    #expect(sent?.path == "/123/s3cret-t0ken?wait=true")
    #expect(
      sent?.json == [
        "content": #"""
        **a \<b\> & c**
        One & \<two\> \| \*three\* \@here <https://example.org/?a=1&b=2|3>
        updated: Zwei äöü 🎉
        """#,
        "allowed_mentions": ["parse": []],
      ])
  }

  // MARK: Telegram

  /// The rules are from https://core.telegram.org/bots/api#sendmessage.
  @Test func `Telegram receives HTML at the bot's address`() async throws {
    let (sent, end) = try await call(
      "telegram", .onNewData, told: Self.changes, options: [("chat", "@news")],
      token: "123456:ABC-def_1")
    #expect(end.failure == nil)
    #expect(sent?.method == "POST")
    #expect(sent?.path == "/bot123456:ABC-def_1/sendMessage")
    #expect(
      sent?.json == [
        "chat_id": "@news", "parse_mode": "HTML",
        "link_preview_options": ["is_disabled": true],
        "text": """
        <b>a &lt;b&gt; &amp; c</b>
        <a href="https://example.org/?a=1&amp;b=2|3">One &amp; &lt;two&gt; | *three* @here</a>
        updated: Zwei äöü 🎉
        """,
      ])
  }

  @Test func `Telegram's answer contains the time to wait`() async throws {
    let (_, end) = try await call(
      "telegram", .onRecovered, options: [("chat", "1")], status: 429,
      answer: #"{"ok":false,"error_code":429,"parameters":{"retry_after":35}}"#)
    #expect(end.failure?.message == "Telegram answered 429")
    #expect(end.retryAfter == Timestamp(seconds: 1_795_000_035))
  }

  // MARK: All of them

  /// The options that each service needs besides the server, and the field of its JSON whose length
  /// is limited. `count` returns the length as the service counts it, and `most` is the limit.
  static let services:
    [(
      name: String, options: [(String, Value)], field: String, most: Int,
      count: @Sendable (String) -> Int
    )] = [
      ("ntfy", [("topic", "t")], "message", 4096, { $0.utf8.count }),
      ("matrix", [("room", "!a:b.example")], "formatted_body", 60_000, { $0.utf8.count }),
      ("slack", [("webhook", "T/B")], "text", 4000, { $0.unicodeScalars.count }),
      ("discord", [("webhook", "1")], "content", 2000, { $0.utf16.count }),
      ("telegram", [("chat", "1")], "text", 4096, { $0.utf16.count }),
    ]

  @Test(arguments: services.indices, ["ä", "🎉", "<", "_"])
  func `long news are cut at the service's limit, between characters`(
    index: Int, character: String
  ) async throws {
    let service = Self.services[index]
    let title = String(repeating: character, count: 250)
    let changes = (0..<400).map { number -> Value in
      ["change": "added", "id": .string("\(number)"), "title": .string(title)]
    }
    let (sent, end) = try await call(
      service.name, .onNewData, told: .array(changes), options: service.options)
    #expect(end.failure == nil)
    let text = try #require(sent?.json[service.field]?.stringValue)
    #expect(service.count(text) <= service.most)
    #expect(service.count(text) > service.most / 4)
    #expect(!text.contains("\u{FFFD}"))
    #expect(text.contains("…"))
  }

  @Test(arguments: services.indices)
  func `a server's requested pause sets the time of the retry`(index: Int) async throws {
    let service = Self.services[index]
    let (_, end) = try await call(
      service.name, .onNewData, told: Self.changes, options: service.options, status: 429,
      headers: ["Retry-After: 120"])
    #expect(end.failure?.message.hasSuffix("answered 429") == true)
    #expect(end.retryAfter == Timestamp(seconds: 1_795_000_120))
  }

  @Test(arguments: services.indices) func `each service reports failures and recoveries`(index: Int)
    async throws
  {
    let service = Self.services[index]
    let failed = try await call(
      service.name, .onFailed, told: ["code": "offline", "message": "no <network>"],
      options: service.options)
    #expect(failed.end.failure == nil)
    let text = try JSONWriter.text(try #require(failed.sent).json)
    #expect(text.contains("fails") && text.contains("network"))
    let healed = try await call(service.name, .onRecovered, options: service.options)
    #expect(healed.end.failure == nil)
    #expect(try JSONWriter.text(try #require(healed.sent).json).contains("works again"))
  }

  @Test(arguments: services.indices, [("newData", "is quiet"), ("success", "is stale")])
  func `a job without news is not reported as failing`(
    index: Int, of: (what: String, words: String)
  )
    async throws
  {
    let service = Self.services[index]
    let stale = try await call(
      service.name, .onFailed,
      told: [
        "code": "stale", "message": "nothing new since monday", "what": .string(of.what),
        "since": "monday",
      ], options: service.options)
    let text = try JSONWriter.text(try #require(stale.sent).json)
    #expect(text.contains(of.words) && text.contains("nothing new since monday"))
    #expect(!text.contains("fails"))
  }

  @Test(arguments: services.indices)
  func `news of several jobs in a digest have the names of their jobs`(
    index: Int
  ) async throws {
    let service = Self.services[index]
    let changes: Value = [
      ["change": "added", "id": "1", "title": "first", "job": "a <b> & c"],
      ["change": "updated", "id": "2", "title": "second", "job": "trains"],
    ]
    let news = try await call(
      service.name, .onNewData, told: changes, options: service.options)
    let text = try JSONWriter.text(try #require(news.sent).json)
    #expect(text.contains("trains, updated: second"))
    #expect(!text.contains(", first"))
  }

  /// Only whole lines are dropped, so one long line must not cause the loss of the other lines.
  @Test(arguments: services.indices.dropFirst())
  func `an address that is longer than a message is dropped, but its title is not`(index: Int)
    async throws
  {
    let service = Self.services[index]
    let changes: Value = [
      [
        "change": "added", "id": "1", "title": "first",
        "url": .string("https://example.org/" + String(repeating: "a", count: 5000)),
      ],
      ["change": "added", "id": "2", "title": "second"],
    ]
    let (sent, end) = try await call(
      service.name, .onNewData, told: changes, options: service.options)
    #expect(end.failure == nil)
    let text = try #require(sent?.json[service.field]?.stringValue)
    #expect(text.contains("first") && text.contains("second") && !text.contains("example.org"))
  }

  @Test(arguments: services.indices) func `no report of a failure contains a service's token`(
    index: Int
  )
    async throws
  {
    let service = Self.services[index]
    let (_, end) = try await call(
      service.name, .onNewData, told: Self.changes, options: service.options, status: 403)
    #expect(end.failure?.code == .pluginFailed)
    #expect(end.failure?.message.contains("s3cret") == false)
  }
}
