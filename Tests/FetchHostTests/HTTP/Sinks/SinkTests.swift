import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of deliveries to real receivers.
@Suite(.timeLimit(.minutes(5))) struct SinkTests {
  static let now = Timestamp(seconds: 1_800_000_000)
  static let http = HTTPEngine()

  static func batch(
    _ number: Int64 = 1, titles: [String] = ["Hello"], event: DeliveryEvent = .newData,
    change: String = "added"
  ) throws -> DeliveryBatch {
    let items = titles.map { title -> Value in
      [
        "sequence": 1, "job": "news", "id": .string(title), "change": .string(change),
        "title": .string(title), "url": "https://a.test/1", "publishedAt": nil,
        "seenAt": "2026-11-21T10:00:00.000Z", "fields": ["content": "<p>\u{1}</p>"],
      ]
    }
    let payload: Value = ["id": .string("key\(number)"), "items": .array(items)]
    var delivery = Delivery(
      id: number, hook: "hook", job: "news", event: event, payload: try JSONWriter.text(payload),
      key: "key\(number)", createdAt: now)
    delivery.run = RunID(startedAt: now, random: (1, 2))
    return try #require(DeliveryBatch([delivery]))
  }

  private func access(_ environment: [String: String] = [:]) -> SecretAccess {
    SecretAccess(reading: SecretSources(environment: environment))
  }

  private func webhook(
    _ url: String, _ environment: [String: String] = [:],
    _ change: (inout WebhookSettings) -> Void = { _ in }
  ) -> WebhookSink {
    var settings = WebhookSettings(url: url)
    settings.privateAddresses = .all
    change(&settings)
    return WebhookSink(
      settings, transport: Self.http, policy: HTTPPolicy(version: "1.0"),
      secrets: access(environment), now: { Self.now })
  }

  private func failure(_ end: DeliveryEnd) -> DeliveryFailure? {
    if case .failed(let failure) = end { failure } else { nil }
  }

  // MARK: Webhooks

  @Test func `a webhook posts signed JSON with its key`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    defer { server.stop() }
    let batch = try Self.batch()
    let sink = webhook(server.url + "/in?x=1", ["KEY": "k", "TOKEN": "Bearer t"]) { settings in
      settings.secret = .environment("KEY")
      settings.headers = [HTTPField("X-Team", "7")]
      settings.secretHeaders = [.init(name: "Authorization", source: .environment("TOKEN"))]
    }
    #expect(await sink.deliver(batch) == .delivered)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.path == "/in?x=1")
    #expect(String(decoding: request.body, as: UTF8.self) == batch.json)
    #expect(request.header("Content-Type") == "application/json")
    #expect(request.header("webhook-id") == "key1")
    #expect(request.header("Idempotency-Key") == "key1")
    #expect(request.header("webhook-timestamp") == "1800000000")
    let expected = StandardWebhook.fields(
      id: "key1", at: Self.now, body: request.body, key: Array("k".utf8))
    #expect(request.header("webhook-signature") == expected.last?.value)
    #expect(request.header("X-Team") == "7")
    #expect(request.header("Authorization") == "Bearer t")
  }

  @Test(arguments: [
    (503, ["Retry-After: 120"], true, 120 as Int64?), (429, ["Retry-After: 5"], true, 5),
    (500, [], true, nil), (404, [], true, nil), (401, [], true, nil), (410, [], false, nil),
    (400, [], false, nil), (302, ["Location: http://127.0.0.1:1/"], true, nil),
  ]) func `an answer other than 2xx is a failed delivery`(
    status: Int, headers: [String], isRetryable: Bool, delay: Int64?
  ) async throws {
    let server = try ScriptedServer { _, connection in connection.answer(status, headers, "no") }
    defer { server.stop() }
    let end = try await webhook(server.url).deliver(Self.batch())
    #expect(
      end
        == .failed(
          DeliveryFailure(
            "127.0.0.1:\(server.port) answered \(status)", isRetryable: isRetryable,
            retryAt: delay.map { Self.now + .seconds($0) })))
    #expect(server.requests.count == 1)
  }

  @Test func `an endless answer counts by its status`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "4000\r\n" + String(repeating: "x", count: 0x4000) + "\r\n"
      while connection.sendCounted(Array(chunk.utf8)) == chunk.utf8.count {}
      connection.close()
    }
    defer { server.stop() }
    #expect(try await webhook(server.url).deliver(Self.batch()) == .delivered)
  }

  @Test func `private addresses must be allowed`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    defer { server.stop() }
    let end = try await webhook(server.url) { $0.privateAddresses = .none }.deliver(Self.batch())
    guard case .held(let reason, _) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(reason.hasPrefix("127.0.0.1 is a loopback address"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a receiver that is down or does not answer is a failed delivery`() async throws {
    let port = try RefusingPort()
    let down = try await webhook("http://127.0.0.1:\(port.number)").deliver(Self.batch())
    withExtendedLifetime(port) {}
    #expect(failure(down)?.isRetryable == true)
    let server = try ScriptedServer { _, connection in connection.waitUntilClientCloses() }
    defer { server.stop() }
    let silent = await webhook(server.url) { $0.timeout = .milliseconds(100) }
      .deliver(try Self.batch())
    #expect(failure(silent)?.isRetryable == true)
  }

  @Test func `a secret that cannot be obtained is reported, and nothing is sent`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    defer { server.stop() }
    let end = await webhook(server.url) { $0.secret = .environment("NONE") }
      .deliver(try Self.batch())
    #expect(
      end
        == .failed(
          DeliveryFailure(
            "cannot obtain the secret for the signature: the environment variable NONE is not set"))
    )
    #expect(server.requests.isEmpty)
  }

  // MARK: Commands

  private func command(
    _ text: String, timeout: Duration = .seconds(30), _ batch: DeliveryBatch? = nil
  ) async throws -> DeliveryEnd {
    var settings = CommandSettings(words: [text])
    settings.shell = true
    settings.timeout = timeout
    let sink = CommandSink(settings, environment: ["PATH": "/usr/bin:/bin", "OWN": "1"])
    return await sink.deliver(try batch ?? Self.batch())
  }

  @Test func `a command gets the JSON as input, the variables, and no descriptor of fetchrun`()
    async throws
  {
    let folder = try TemporaryFolder.make("sink")
    let path = folder
    let batch = try Self.batch(titles: ["It's $(touch \(path)/evil)"])
    let text = """
      cat > \(path)/in; env > \(path)/env; ls /proc/self/fd > \(path)/fds; echo "$FETCHRUN_TITLE" > \(path)/title
      """
    #expect(try await command(text, batch) == .delivered)
    func content(_ name: String) throws -> String {
      try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }
    #expect(try content("in") == batch.json + "\n")
    #expect(try content("title") == "It's $(touch \(path)/evil)\n")
    #expect(!FileManager.default.fileExists(atPath: "\(path)/evil"))
    let variables = try content("env").split(separator: "\n").filter {
      $0.hasPrefix("FETCHRUN_") || $0.hasPrefix("OWN")
    }
    #expect(
      variables.map(String.init).sorted() == [
        "FETCHRUN_COUNT=1", "FETCHRUN_EVENT=newData", "FETCHRUN_HOOK=hook",
        "FETCHRUN_IDEMPOTENCY_KEY=key1", "FETCHRUN_JOB=news",
        "FETCHRUN_RUN=\(try #require(batch.run))",
        "FETCHRUN_TEXT=news: It's $(touch \(path)/evil)",
        "FETCHRUN_TITLE=It's $(touch \(path)/evil)", "FETCHRUN_URL=https://a.test/1", "OWN=1",
      ])
    // Three descriptors are the standard ones, and one belongs to the listing itself.
    #expect(try content("fds").split(separator: "\n").count == 4)
  }

  private static let counted = (1...90).map { "\($0)" }.joined(separator: " ")

  @Test(arguments: [
    ("echo out; echo 'it broke' >&2; exit 3", "the command ended with status 3: it broke"),
    ("kill -9 $$", "the command was killed by signal 9"),
    ("yes | head -c 5000000; exit 1", "the command ended with status 1: y"),
    (
      "seq -f 'progress %.0f' 60000; echo 'the reason' >&2; printf '\\n \\n'; exit 1",
      "the command ended with status 1: the reason"
    ),
    ("seq -s ' ' 90000; exit 1", "the command ended with status 1: \(counted.prefix(200))"),
  ]) func `a command that fails is reported with its last line`(text: String, message: String)
    async throws
  {
    #expect(try await command(text) == .failed(DeliveryFailure(message)))
  }

  @Test func `a command that takes too long is killed with all its child processes`() async throws {
    let folder = try TemporaryFolder.make("sink")
    let file = "\(folder)/pid"
    let text = "sleep 1000 & echo $! > \(file).new; mv \(file).new \(file); wait"
    // On a busy machine, the command may be killed before its child process has started.
    for timeout in [Duration.milliseconds(300), .seconds(3), .seconds(30)] {
      #expect(
        try await command(text, timeout: timeout)
          == .failed(DeliveryFailure("the command did not end within \(timeout.shortText)")))
      if FileManager.default.fileExists(atPath: file) { break }
    }
    let id = try String(contentsOfFile: file, encoding: .utf8)
    let pid = try #require(pid_t(id.trimmingCharacters(in: .whitespacesAndNewlines)))
    while kill(pid, 0) == 0, !isZombie(pid) { sched_yield() }
  }

  private func isZombie(_ pid: pid_t) -> Bool {
    (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.contains(") Z ") ?? true
  }

  @Test func `a process that a command leaves running causes no delay`() async throws {
    #expect(try await command("sleep 1000 & exit 0") == .delivered)
  }

  @Test func `a cancelled delivery ends its command`() async throws {
    let folder = try TemporaryFolder.make("sink")
    let path = folder + "/begun"
    let task = Task { try await command("touch \(path); sleep 1000") }
    while !FileManager.default.fileExists(atPath: path) { await Task.yield() }
    task.cancel()
    #expect(
      try await task.value == .failed(DeliveryFailure("the command was cancelled")))
  }

  @Test(arguments: ["sleep 100", "yes"])
  func `a process that leaves the command's session causes no delay`(program: String) async throws {
    let path = try TemporaryFolder.make("sink") + "/begun"
    let text = "setsid sh -c 'touch \(path); exec \(program)' & while ! [ -e \(path) ]; do :; done"
    #expect(try await command(text) == .delivered)
    #expect(
      try await command(text + "; sleep 1000", timeout: .milliseconds(300))
        == .failed(DeliveryFailure("the command did not end within 300ms")))
  }

  /// timeout(1) makes a process group of its own.
  @Test func `a program that leaves its process group is killed with its child processes`()
    async throws
  {
    let folder = try TemporaryFolder.make("sink")
    let script = "echo $$ > \(folder)/new; mv \(folder)/new \(folder)/pid; exec sleep 100"
    let sink = CommandSink(
      CommandSettings(words: ["timeout", "100", "sh", "-c", script]),
      environment: ["PATH": "/usr/bin:/bin"])
    let batch = try Self.batch()
    let task = Task { await sink.deliver(batch) }
    while !FileManager.default.fileExists(atPath: folder + "/pid") { await Task.yield() }
    task.cancel()
    #expect(await task.value == .failed(DeliveryFailure("'timeout' was cancelled")))
    let id = try String(contentsOfFile: folder + "/pid", encoding: .utf8)
    let pid = try #require(pid_t(id.trimmingCharacters(in: .whitespacesAndNewlines)))
    while kill(pid, 0) == 0, !isZombie(pid) { sched_yield() }
  }

  @Test(arguments: [
    ("/no/such/program", "No such file or directory"),
    ("no-such-program", "No such file or directory"),
    ("/etc/hostname/program", "Not a directory"), ("/etc", "Permission denied"),
    ("FOLDER/data", "Exec format error"),
  ]) func `a program that cannot be started is reported`(name: String, reason: String) async throws
  {
    let folder = try TemporaryFolder.make("sink")
    try TemporaryFolder.write("data", to: folder + "/data")
    #expect(chmod(folder + "/data", 0o700) == 0)
    let path = name.replacing("FOLDER", with: folder)
    let sink = CommandSink(CommandSettings(words: [path]), environment: ["PATH": "/bin"])
    #expect(
      try await sink.deliver(Self.batch())
        == .failed(DeliveryFailure("'\(path)' cannot be started: \(reason)")))
  }

  // MARK: Files

  @Test func `lines are appended, also after an incomplete line`() async throws {
    let folder = try TemporaryFolder.make("sink")
    let path = folder + "/news.jsonl"
    let sink = FeedFileSink(FeedFileSettings(path: path), hook: "log", now: { Self.now })
    #expect(try await sink.deliver(Self.batch(1, titles: ["a", "b"])) == .delivered)
    let whole = try String(contentsOfFile: path, encoding: .utf8)
    try (whole + "{\"half").write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try await sink.deliver(Self.batch(2, titles: ["c"])) == .delivered)
    #expect(try await sink.deliver(Self.batch(3, titles: [], event: .noData)) == .delivered)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 5)
    let values = lines.map { try? JSONReader.decode(String($0)) }
    #expect(values.map { $0?["title"] } == ["a", "b", nil, "c", nil])
    #expect(values.map { $0?["delivery"] } == ["key1", "key1", nil, "key2", nil])
    #expect(values[4]?["id"] == "key3")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: [FeedFileSettings.Format.rss, .atom, .jsonfeed])
  func `a feed has the newest items, each once, and is well-formed`(
    format: FeedFileSettings.Format
  ) async throws {
    let folder = try TemporaryFolder.make("sink")
    var settings = FeedFileSettings(path: folder + "/feed")
    settings.format = format
    settings.itemCount = 3
    settings.title = "A & B"
    let sink = FeedFileSink(settings, hook: "feed", now: { Self.now })
    #expect(try await sink.deliver(Self.batch(1, titles: ["<1>", "2"])) == .delivered)
    #expect(try await sink.deliver(Self.batch(2, titles: ["3", "4", "2"])) == .delivered)
    #expect(try await sink.deliver(Self.batch(2, titles: ["3", "4", "2"])) == .delivered)
    #expect(try await sink.deliver(Self.batch(3, titles: ["3"], change: "removed")) == .delivered)
    let text = try String(contentsOfFile: settings.path, encoding: .utf8)
    if format == .jsonfeed {
      let items = try JSONReader.decode(text)["items"]?.arrayValue ?? []
      #expect(items.map { $0["title"] } == ["2", "4"])
      return
    }
    let titles = text.matches(of: /<title>([^<]*)<\/title>/).map { String($0.1) }
    #expect(titles == ["A &amp; B", "2", "4"])
    let lint = "/usr/bin/xmllint"
    if FileManager.default.isExecutableFile(atPath: lint) {
      try ChildProcess.run([lint, "--noout", settings.path])
    }
  }

  @Test func `a file that cannot be written is reported`() async throws {
    let sink = FeedFileSink(
      FeedFileSettings(path: "/no/such/folder/x"), hook: "log", now: { Self.now })
    #expect(
      try await sink.deliver(Self.batch())
        == .failed(
          DeliveryFailure(
            "/no/such/folder/x cannot be opened: there is no folder /no/such/folder; create it")))
  }

  // MARK: Mail

  private func email(
    _ server: MailServer, _ change: (inout EmailSettings) -> Void = { _ in }
  ) -> EmailSink {
    var settings = EmailSettings(
      server: server.url, from: "a@b.test", to: ["c@d.test", "e@f.test"])
    settings.allowsPlain = true
    change(&settings)
    return EmailSink(
      settings, policy: HTTPPolicy(version: "1.0"), secrets: access(["PASS": "geheim"]),
      now: { Self.now })
  }

  @Test func `a message is sent to all receivers`() async throws {
    let server = try MailServer(offersSignIn: true)
    defer { server.stop() }
    let sink = email(server) { settings in
      settings.user = "me"
      settings.password = .environment("PASS")
    }
    let batch = try Self.batch(titles: ["Grüße\r\nBcc: x@y.test"])
    #expect(await sink.deliver(batch) == .delivered)
    let message = try #require(server.messages.first)
    #expect(message.from == "<a@b.test>")
    #expect(message.to == ["<c@d.test>", "<e@f.test>"])
    #expect(!message.text.contains("\r\nBcc"))
    #expect(message.text.contains("Message-ID: <key1@b.test>"))
    let body = message.text.components(separatedBy: "\r\n\r\n").dropFirst().joined()
    let text = Data(base64Encoded: body.replacing("\r\n", with: ""))
      .map { String(decoding: $0, as: UTF8.self) }
    #expect(text?.contains("news, added: Grüße") == true)
    #expect(text?.contains("https://a.test/1") == true)
    #expect(server.words.contains { $0.hasPrefix("AUTH PLAIN") })
  }

  @Test func `a cancelled delivery does not wait for the answer of the mail server`() async throws {
    let answer = DispatchSemaphore(value: 0)
    let (reached, source) = AsyncStream<Void>.makeStream()
    let server = try MailServer { step in
      guard step == .message else { return }
      source.yield()
      answer.wait()
    }
    defer {
      answer.signal()
      server.stop()
    }
    let (sink, batch) = (email(server), try Self.batch())
    let task = Task { await sink.deliver(batch) }
    for await _ in reached { break }
    task.cancel()
    #expect(
      await task.value
        == .failed(
          DeliveryFailure(
            "the mail server \(server.url) did not confirm the mail before the delivery was"
              + " cancelled")))
  }

  @Test func `a process that ends waits for the answer of the mail server to QUIT`() async throws {
    let answer = DispatchSemaphore(value: 0)
    let server = try MailServer { step in if step == .goodbye { answer.wait() } }
    defer { server.stop() }
    #expect(try await email(server).deliver(Self.batch()) == .delivered)
    #expect(!MailExchanges.finish(within: .zero))
    answer.signal()
    #expect(MailExchanges.finish(within: .seconds(60)))
  }

  @Test func `without encryption a message is sent only if that is allowed`() async throws {
    let server = try MailServer()
    defer { server.stop() }
    let end = try await email(server) { $0.allowsPlain = false }.deliver(Self.batch())
    #expect(
      end
        == .failed(
          DeliveryFailure(
            "the mail server \(server.url) does not allow encryption;"
              + " set `allow_plain` to send unencrypted mail"
          )))
    #expect(server.messages.isEmpty)
    #expect(!server.words.contains { $0.hasPrefix("MAIL") })
  }

  @Test(arguments: [(450, true), (550, false)])
  func `a receiver that is refused permanently is not tried again`(
    status: Int, isRetryable: Bool
  ) async throws {
    let server = try MailServer(receiverStatus: status)
    defer { server.stop() }
    #expect(
      try await email(server).deliver(Self.batch())
        == .failed(
          DeliveryFailure(
            "the mail server \(server.url) answered \(status)", isRetryable: isRetryable)))
  }
}
