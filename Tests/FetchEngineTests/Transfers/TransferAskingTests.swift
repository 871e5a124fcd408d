import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the result of `ctx:transfer`, and of the queued transfers after the run has ended.
@Suite(.timeLimit(.minutes(5))) struct TransferAskingTests {
  let stage: TransferStage

  init() throws { stage = try TransferStage() }

  private func title(_ key: String) throws -> String? {
    try StoreReader(at: stage.bench.storePath).items(ItemQuery()).first { $0.key.text == key }?
      .title
  }

  @Test func `a run's transfers are queued with it, and carried out`() async throws {
    stage.site.at("h1/f") { _ in Site.Answer(body: "the file") }
    stage.asks("a", #"{"transfers": {"url": "{h1}/f", "to": "in/f", "size": 8}}"#)
    let open = try await stage.open()
    #expect(try await open.run().outcome.failure == nil)
    #expect(try title("asked") == "[1]")
    let record = try await open.until(1, .done)
    #expect(record.job == "a")
    #expect(record.download.receivedBytes == 8)
    #expect(record.attemptCount == 1)
    #expect(try String(contentsOfFile: stage.path("in/f"), encoding: .utf8) == "the file")
    try await open.stop()
  }

  @Test func `each transfer of a list has its own result`() async throws {
    stage.asks(
      "a",
      """
      {"transfers": [{"url": "{h1}/f", "to": "f"}, {"url": "https://other.example/", "to": "g"},
        {"url": "{h1}/f", "to": "../g"}, {"url": "gopher://h1.localhost/", "to": "g"},
        {"url": "file:///etc/passwd", "to": "g"}, {"url": "{h1}/g", "to": "g"}]}
      """)
    let open = try await stage.open()
    #expect(try await open.run().outcome.failure == nil)
    let ids = try JSONReader.decode(try #require(try title("asked"))).arrayValue ?? []
    try #require(ids.count == 2)
    #expect(
      ids[0] == [.integer(1), .bool(false), .bool(false), .bool(false), .bool(false), .integer(2)])
    let messages = (ids[1].arrayValue ?? []).map(\.stringValue)
    #expect(
      messages == [
        nil,
        "the plugin or hook may not reach other.example (granted: h0.localhost, "
          + "h0.localhost:\(stage.site.port), *.localhost:*, 127.0.0.1:*); add "
          + "\"other.example\" to its permissions.http, or to `hosts` in the config",
        "'../g' is not a path in the folder: the path has . or .. as a name; write only the names "
          + "of folders and files",
        "the address \"gopher://h1.localhost/\" has the unsupported scheme gopher; use http, "
          + "https or file",
        "the plugin may not read /etc/passwd (granted: nothing); allow it with `allow_read` in the"
          + " config", nil,
      ])
    try await open.until(1, .done)
    try await open.until(2, .done)
    try await open.stop()
  }

  @Test func `a run queues at most as many transfers as its folder may hold files`() async throws {
    for name in ["f", "g"] { stage.site.at("h1/\(name)") { _ in Site.Answer(body: name) } }
    stage.asks(
      "a",
      """
      {"transfers": [{"url": "{h1}/f", "to": "f"}, {"url": "{h1}/f", "to": "f"},
        {"url": "{h1}/g", "to": "g"}, {"url": "{h1}/h", "to": "h"}],
       "checkpoint": {"url": "{h1}/i", "to": "i"}}
      """)
    let open = try await stage.open(
      """
      lanes: {"*": {gap: 0s, connections: 8}}
      jobs:
        - name: a
          plugin: ./asker.lua
          options: {url: "{h0}/a"}
          interval: never
          files: {count: 2}
      """)
    #expect(try await open.run().outcome.failure == nil)
    let ids = try JSONReader.decode(try #require(try title("asked"))).arrayValue ?? []
    try #require(ids.count == 2)
    #expect(ids[0] == [.integer(1), .integer(1), .integer(2), .bool(false)])
    #expect(
      (ids[1].arrayValue ?? []).map(\.stringValue) == [
        nil, nil, nil,
        "the run has already queued 2 transfers, as many as the folder may hold files"
          + " (`files.count`); request the others in a later run, or raise the quota",
      ])
    #expect(try Set(open.records().map(\.request.to.text)) == ["f", "g"])
    try await open.stop()
  }

  static let mistakes: [(request: String, message: String)] = [
    (#"{}"#, "transfer: url must be a UTF-8 string or a secret"),
    (
      #"{"url": "http://h1.localhost/"}"#,
      "transfer: 'to' must be a UTF-8 string, a path in the job's folder"
    ),
    (
      #"{"url": "http://h1.localhost/", "to": "f", "sise": 1}"#,
      "transfer: unknown option 'sise' (did you mean 'size'?); options are url, to, sha256, size,"
        + " modified, headers, auth, bearer, backup"
    ),
    (
      #"{"url": "http://h1.localhost/", "to": "f", "size": -1}"#,
      "transfer: size must be a whole number of bytes"
    ),
    (
      #"{"url": "http://h1.localhost/", "to": "f", "sha256": "ab"}"#,
      "transfer: sha256 must be 64 hexadecimal digits"
    ),
    (
      #"{"url": "http://h1.localhost/", "to": "f", "modified": "yesterday"}"#,
      "transfer: modified must be a time such as \"2026-11-20T10:00:00Z\", not \"yesterday\""
    ),
    (
      #"{"url": "http://h1.localhost/", "to": "f", "headers": {"Range": "bytes=1-"}}"#,
      "transfer: a plugin may not set the header 'Range', because only fetchrun may set it"
    ),
    (#"[1]"#, "transfer: each entry of the list must be a table"),
    (#"1"#, "ctx:transfer needs a table such as { url = ..., to = ... }, got a number"),
  ]

  @Test(arguments: mistakes) func `an author's mistake is an error of the plugin`(
    request: String, message: String
  ) async throws {
    stage.asks("a", "{\"transfers\": \(request)}")
    let open = try await stage.open()
    let failure = try await open.run().outcome.failure
    #expect(failure?.code == .pluginError)
    #expect(failure?.message == message)
    #expect(try open.records().isEmpty)
    try await open.stop()
  }

  @Test func `a failed run queues only transfers that a checkpoint has stored`() async throws {
    stage.asks(
      "a", #"{"transfers": {"url": "{h1}/f", "to": "f"}, "problem": "no luck"}"#,
      """
      {"transfers": {"url": "{h1}/f", "to": "f"}, "problem": "no luck",
       "checkpoint": {"url": "{h1}/g", "to": "g"}}
      """)
    let open = try await stage.open()
    #expect(try await open.run().outcome.failure?.message == "no luck")
    #expect(try open.records().isEmpty)
    #expect(try await open.run().outcome.failure?.message == "no luck")
    let record = try #require(try open.records().first)
    #expect(record.request.to.text == "f")
    try await open.until(record.id, .done)
    #expect(try open.records().count == 1)
    #expect(!stage.site.asked.contains("h1/g"))
    try await open.stop()
  }

  @Test func `an equal request returns the pending transfer`() async throws {
    let request = #"{"transfers": {"url": "{h1}/f", "to": "f"}}"#
    stage.asks("a", request)
    stage.site.hold("h1/f")
    let open = try await stage.open()
    try await open.run()
    await stage.site.wait(for: "h1/f", count: 1)
    try await open.run()
    #expect(try title("asked") == "[1]")
    stage.site.free("h1/f")
    try await open.until(1, .done)
    #expect(stage.site.asked.filter { $0 == "h1/f" }.count == 1)
    #expect(try open.records().count == 1)
    // An ended transfer is not returned.
    try await open.run()
    #expect(try title("asked") == "[2]")
    try await open.until(2, .done)
    try await open.stop()
  }

  @Test func `another address for the path replaces the transfer, even while it is under way`()
    async throws
  {
    let half = try HalfServer()
    stage.asks(
      "a", "{\"transfers\": {\"url\": \"\(half.url)\", \"to\": \"f\"}}",
      #"{"transfers": {"url": "{h1}/f", "to": "f"}}"#)
    stage.site.at("h1/f") { _ in Site.Answer(body: "new") }
    let open = try await stage.open()
    try await open.run()
    await open.until { size(stage.partial(1)) == HalfServer.half }
    try await open.run()
    try await open.until(2, .done)
    #expect(try open.records().map(\.id) == [2])
    #expect(try String(contentsOfFile: stage.path("f"), encoding: .utf8) == "new")
    await open.until { size(stage.partial(1)) == nil }
    #expect(half.ranges == [nil])
    try await open.stop()
    #expect(open.ended.map(\.id) == [2])
  }
}
