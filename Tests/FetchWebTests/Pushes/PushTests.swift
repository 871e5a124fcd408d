import FetchEngine
import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchWeb

/// Tests of pushes by other services.
@Suite struct PushTests {
  private static let key = Array("It's a Secret to Everybody".utf8)
  private static let right = (
    "X-Hub-Signature-256", "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
  )

  let daemon = PushedDaemon([
    PushRuleLine(job: "open"), PushRuleLine(job: "forge", signature: .github, key: key),
    PushRuleLine(job: "hooks", signature: .standardWebhooks, key: key),
    PushRuleLine(job: "other", signature: .standardWebhooks, key: key),
  ])
  let site: TestSite

  init() throws { site = try TestSite(daemon: daemon.send) }

  @Test func `a push to a job's address makes the job due, whatever its content`() async throws {
    let path = try site.pushPath("open")
    for body in ["", "{}", "\u{0}not JSON"] {
      let answer = await site.answer("POST", path, body: body)
      #expect(answer.status == 202)
      #expect(answer.text == #"{"job":"open","answer":"due","why":null}"# + "\n")
    }
    #expect(daemon.requests.filter { $0 == "push open" }.count == 3)
  }

  @Test func `tokens and cookies of other services do not matter`() async throws {
    let path = try site.pushPath("open")
    let fields = [("Authorization", "Basic eDp5"), ("Cookie", "a=b"), ("Origin", "https://x.test")]
    #expect(await site.answer("POST", path, fields).status == 202)
  }

  @Test func `a signed job accepts the right signature alone`() async throws {
    let path = try site.pushPath("forge")
    let body = "Hello, World!"
    #expect(await site.answer("POST", path, [Self.right], body: body).status == 202)
    #expect(daemon.requests == ["rule forge", "push forge"])
    let wrong = await site.answer("POST", path, [Self.right], body: body + " ")
    #expect(wrong.status == 403 && wrong.word == "wrongSignature")
    #expect(
      wrong.value["detail"]?.stringValue
        == "the signature of the push is wrong: the sender must use the secret in `push.secret`")
    let unsigned = await site.answer("POST", path, body: body)
    #expect(
      unsigned.value["detail"]?.stringValue
        == "the push has no usable signature: sign it with the secret in `push.secret`")
    #expect(await site.answer("POST", path, [Self.right, Self.right], body: body).status == 403)
    #expect(daemon.requests.filter { $0 == "push forge" }.count == 1)
  }

  private func webhook(id: String, at time: Timestamp, _ body: String) -> [WebHeaders.Field] {
    StandardWebhook.fields(id: id, at: time, body: Array(body.utf8), key: Self.key)
      .map { ($0.name, $0.value) }
  }

  @Test func `a Standard Webhooks message is accepted once, and near its time`() async throws {
    let path = try site.pushPath("hooks")
    let fields = webhook(id: "m1", at: site.now, "x")
    #expect(await site.answer("POST", path, fields, body: "x").status == 202)
    let again = await site.answer("POST", path, fields, body: "x")
    #expect(again.status == 202)
    #expect(
      again.text
        == #"{"job":"hooks","answer":"skipped","why":"this webhook-id was received before"}"# + "\n"
    )
    #expect(daemon.requests.filter { $0 == "push hooks" }.count == 1)
    site.advance(.seconds(301))
    let late = await site.answer(
      "POST", path, webhook(id: "m2", at: TestSite.start, "x"), body: "x")
    #expect(late.status == 403)
    #expect(late.text.contains("differs by more than five minutes"))
    let bare = await site.answer("POST", path, body: "x")
    #expect(bare.status == 403)
    #expect(bare.text.contains("needs one valid field webhook-id"))
    // A message with a wrong signature must not use up its id.
    let wrong = webhook(id: "m3", at: site.now, "x")
    #expect(await site.answer("POST", path, wrong, body: "y").status == 403)
    #expect(await site.answer("POST", path, wrong, body: "x").status == 202)
    #expect(daemon.requests.filter { $0 == "push hooks" }.count == 2)
  }

  @Test func `many signed pushes for one job do not block those for another job`() async throws {
    let (path, other) = (try site.pushPath("hooks"), try site.pushPath("other"))
    let accepted = site.site.context.acceptedPushes
    for number in 0..<AcceptedPushes.countPerJobMax {
      let answer = accepted.take("\(number)", of: "hooks", now: site.now)
      #expect(answer == .new)
    }
    let fields = webhook(id: "m", at: site.now, "x")
    let full = await site.answer("POST", path, fields, body: "x")
    #expect(full.status == 429 && full.headers.first("Retry-After") == "60")
    #expect(await site.answer("POST", other, fields, body: "x").status == 202)
    // The ids are forgotten after ten minutes.
    site.advance(.seconds(600))
    let later = webhook(id: "m", at: site.now, "x")
    #expect(await site.answer("POST", path, later, body: "x").status == 202)
  }

  @Test func `a message that the daemon refused can be repeated`() async throws {
    let path = try site.pushPath("hooks")
    let fields = webhook(id: "m", at: site.now, "x")
    daemon.failPushes(.failed("the daemon is stopping"))
    #expect(await site.answer("POST", path, fields, body: "x").status == 409)
    daemon.failPushes(nil)
    let answer = await site.answer("POST", path, fields, body: "x")
    #expect(answer.text == #"{"job":"hooks","answer":"due","why":null}"# + "\n")
  }

  @Test func `an unknown address is not found, after the same work as a wrong signature`()
    async throws
  {
    _ = try site.pushPath("forge")
    let answer = await site.answer("POST", "/push/AAAAAAAAAAAAAAAAAAAAAA", [Self.right], body: "x")
    #expect(answer.status == 404 && answer.word == "notFound")
    #expect(answer.value["detail"]?.stringValue == "there is no such address")
    #expect(daemon.requests == ["rule "])
    #expect(await site.answer("GET", "/push/AAAAAAAAAAAAAAAAAAAAAA").status == 405)
    #expect(await site.answer("POST", "/push/").status == 404)
  }

  @Test func `many unknown addresses from one client are refused, valid ones still pass`()
    async throws
  {
    let path = try site.pushPath("open")
    for number in 0..<10 {
      #expect(await site.answer("POST", "/push/\(number)").status == 404)
    }
    let refused = await site.answer("POST", "/push/x")
    #expect(refused.status == 429)
    #expect(refused.headers.first("Retry-After") != nil)
    #expect(await site.answer("POST", path).status == 202)
  }

  @Test func `an address of a removed job and a missing daemon say so`() async throws {
    let path = try site.pushPath("gone")
    let answer = await site.answer("POST", path)
    #expect(answer.status == 404 && answer.word == "unknownJob")
    let alone = try TestSite()
    let answer2 = await alone.answer("POST", try alone.pushPath("open"))
    #expect(answer2.status == 503 && answer2.word == "noDaemon")
  }

  @Test func `an address that cannot be looked up is an error, and not an unknown address`()
    async throws
  {
    let path = try site.pushPath("open")
    try PrivateFile.replace(site.access.file.path, with: Array("no JSON".utf8))
    let answer = await site.answer("POST", path)
    #expect(answer.status == 500 && answer.word == "internalError")
    #expect(daemon.requests == [])
    let alone = try await TestSite().answer("POST", "/push/AAAAAAAAAAAAAAAAAAAAAA")
    #expect(alone.status == 503 && alone.word == "noDaemon")
  }

  @Test func `a rule that cannot be read accepts nothing`() async throws {
    let site = try TestSite { (request, line) async throws(ControlError) in
      if case .pushRule(let job) = request {
        line(["job": .string(job.text), "signature": "future", "key": "00"])
      }
      return .done
    }
    #expect(await site.answer("POST", try site.pushPath("open")).status == 503)
  }

  @Test func `the file stores only the hash of an address, and a new one replaces it`()
    async throws
  {
    let first = try site.pushPath("open")
    let second = try site.pushPath("open")
    let stored = String(decoding: try #require(try? access()), as: UTF8.self)
    #expect(!stored.contains(first.dropFirst(6)) && !stored.contains(second.dropFirst(6)))
    #expect(await site.answer("POST", first).status == 404)
    #expect(await site.answer("POST", second).status == 202)
    let records = try #require(AccessRecords(json: Array(stored.utf8)))
    #expect(records == (try site.access.file.records()))
    let hadOne = try site.access.file.change { records throws(AccessFileError) in
      records.removePushAddress(of: "open")
    }
    #expect(hadOne)
    #expect(await site.answer("POST", second).status == 404)
  }

  private func access() throws -> [UInt8] { try site.access.file.records().json }
}

/// Tests of the commands that make addresses for pushes.
@Suite struct PushAddressTests {
  private func actions(_ folder: String, jobs: [JobName]? = ["a", "b"]) -> PushAddressActions {
    let words = SeededWords()
    return PushAddressActions(
      file: AccessFile(path: folder + "/web.json"), server: "https://fetch.example.org", jobs: jobs,
      now: TestSite.start, random: { words.next() })
  }

  @Test func `an address has 22 unguessable characters`() throws {
    let folder = try TemporaryFolder.make("push")
    let output = try actions(folder).run(["add", "a"])
    let address = try #require(output.lines.first)
    #expect(address.hasPrefix("https://fetch.example.org/push/"))
    #expect(address.split(separator: "/").last?.count == 22)
    #expect(output.messages.count == 1)
    let json = try actions(folder).run(["add", "--json", "b"])
    #expect(
      json.lines.first?.hasPrefix(#"{"job":"b","address":"https://fetch.example.org/"#) == true)
    #expect(try actions(folder).run(["remove", "a"]).messages.count == 1)
  }

  @Test(
    arguments: [
      (["add"], "missing job name: add one or more job names", 64),
      (["ad", "a"], "use `fetchrun push --address` or `fetchrun push --remove-address`", 64),
      (["add", "c"], "there is no job 'c' (did you mean 'a'?)", 1),
      (["remove", "a"], "the job 'a' has no address for pushes", 1),
    ] as [([String], String, Int32)])
  func `a mistake has a message`(words: [String], message: String, status: Int32) throws {
    let folder = try TemporaryFolder.make("push")
    #expect(throws: TokenActions.Failed(message: message, status: status)) {
      try actions(folder).run(words)
    }
  }

  @Test func `the number of addresses is bounded`() throws {
    let folder = try TemporaryFolder.make("push")
    let actions = actions(folder, jobs: nil)
    let names = (0..<AccessRecords.pushAddressesMax).map { "job\($0)" }
    #expect(try actions.run(["add"] + names).lines.count == names.count)
    #expect(throws: TokenActions.Failed.self) { try actions.run(["add", "one more"]) }
    #expect(try actions.run(["add", "job7"]).lines.count == 1)
  }
}
