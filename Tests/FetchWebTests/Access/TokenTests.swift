import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Glibc
import Testing

@testable import FetchWeb

/// Tests of access tokens: the addresses to which each token gives access, and the answers.
@Suite struct TokenTests {
  private static func bearer(_ token: String) -> [WebHeaders.Field] {
    [("Authorization", "Bearer \(token)")]
  }

  @Test func `no token is 401, with the way to get one`() async throws {
    let site = try TestSite()
    let answer = await site.answer("GET", "/api/v1/items")
    #expect(answer.status == 401)
    #expect(answer.headers.first("WWW-Authenticate") == "Bearer realm=\"fetchrun\"")
    #expect(answer.word == "noAccess")
    #expect(answer.text.contains("fetchrun token add NAME --scope read"))
    let act = await site.answer("POST", "/api/v1/pause", Self.bearer("frt_short"))
    #expect(act.status == 401)
    #expect(act.text.contains("fetchrun token add NAME --scope act"))
  }

  @Test func `a token opens what its scopes say`() async throws {
    let site = try TestSite()
    let read = try site.token("phone", [.read])
    #expect(await site.answer("GET", "/api/v1/items", Self.bearer(read)).status == 200)
    let answer = await site.answer("POST", "/api/v1/pause", Self.bearer(read))
    #expect(answer.status == 403)
    #expect(
      answer.value["detail"]?.stringValue
        == "the token 'phone' lacks the scope 'act'; create a token with this scope: "
        + "`fetchrun token add NAME --scope act`")
  }

  @Test func `only a caller who may approve permissions sees the tokens`() async throws {
    let site = try TestSite()
    for (token, isSeen) in [
      (try site.token("phone", [.read]), false), (try site.token("desk", [.read, .grant]), true),
    ] {
      let fields = Self.bearer(token)
      for path in ["/tokens", "/api/v1/tokens"] {
        #expect(await site.answer("GET", path, fields).status == (isSeen ? 200 : 403), "\(path)")
      }
      let about = await site.answer("GET", "/about", fields)
      #expect(about.text.contains("/tokens") == isSeen)
    }
    // The list also has the tokens for other jobs.
    let some = Self.bearer(try site.token("some", [.read, .grant], jobs: ["news"]))
    for path in ["/tokens", "/api/v1/tokens"] {
      #expect(await site.answer("GET", path, some).status == 403, "\(path)")
    }
  }

  @Test(arguments: [
    "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Bearer frt_short", "Bearer  x", "bearer x y",
  ]) func `anything else is 401`(value: String) async throws {
    let site = try TestSite()
    #expect(await site.answer("GET", "/livez", [("Authorization", value)]).status == 401)
  }

  @Test func `two tokens are refused`() async throws {
    let site = try TestSite()
    let token = try site.token()
    let answer = await site.answer(
      "GET", "/api/v1/items", Self.bearer(token) + Self.bearer(token))
    #expect(answer.status == 401)
  }

  @Test func `a token for some jobs gets the rows of these jobs, however old they are`()
    async throws
  {
    let site = try TestSite(daemon: TestSite.pausing)
    let store: any Store = site.store
    let mine = try await Self.endedTransfers(1, of: "mine", in: store)
    let others = try await Self.endedTransfers(1_001, of: "other", in: store)
    var memory = SchedulerMemory()
    memory.skips = (["mine", "other", "other"] as [JobName]).map {
      SkipRecord(job: $0, at: TestSite.start, reason: "paused")
    }
    try await store.remember(memory)
    let token = Self.bearer(try site.token(jobs: ["mine"]))
    for list in ["transfers", "skips"] {
      let answer = await site.answer("GET", "/api/v1/\(list)?limit=1", token)
      let jobs = answer.value["data"]?.arrayValue?.compactMap { $0["job"]?.stringValue }
      #expect(jobs == ["mine"], "\(list)")
    }
    let retry = await site.answer("POST", "/api/v1/transfers/\(mine[0])/retry", token)
    #expect(retry.status == 200)
    let hidden = await site.answer("POST", "/api/v1/transfers/\(others[0])/retry", token)
    #expect(hidden.word == "unknownTransfer")
  }

  @Test func `a token for some jobs gets full pages of these jobs, and no name of another job`()
    async throws
  {
    // The daemon sorts the lines only if the filter selects some of them.
    let names =
      ["z-secret", "mine-2", "a-secret", "mine-3", "mine-1"]
      + (0..<StatusFilter.limitMax).map { "more-secret-\($0)" }
    let site = try TestSite { (request, line) async throws(ControlError) in
      guard case .status(_, let filter) = request else { return .done }
      let all = filter == StatusFilter() ? names : names.sorted()
      let chosen = all.filter { name in filter.after.map { $0 < name } ?? true }
      for name in chosen.prefix(filter.limit ?? .max) {
        line(["job": .string(name), "state": "scheduled"])
      }
      return .done
    }
    let token = Self.bearer(try site.token(jobs: ["mine*"]))
    func jobs(_ answer: WebResponse) -> [String]? {
      answer.value["data"]?.arrayValue?.compactMap { $0["job"]?.stringValue }
    }
    let first = await site.answer("GET", "/api/v1/jobs?limit=2", token)
    #expect(jobs(first) == ["mine-1", "mine-2"])
    #expect(first.value["next"]?.stringValue == "/api/v1/jobs?limit=2&after=mine-2")
    let second = await site.answer("GET", "/api/v1/jobs?limit=2&after=mine-2", token)
    #expect(jobs(second) == ["mine-3"])
    #expect(second.value["next"]?.stringValue == nil && second.headers.first("Link") == nil)
  }

  @Test func `a token for some jobs reaches its items, however large newer items of others are`()
    async throws
  {
    let site = try TestSite()
    try await StoredRuns.add(1, to: site.store, job: "mine", items: [("m", "My title")])
    try await StoredRuns.add(
      2, to: site.store, job: "other", items: [("a", "A"), ("b", "B")],
      content: String(repeating: "x", count: ReadBounds.pageBytesMax / 2))
    let token = Self.bearer(try site.token(jobs: ["mine"]))
    let first = await site.answer("GET", "/api/v1/items", token)
    let next = try #require(first.value["next"]?.stringValue)
    #expect(await site.answer("GET", next, token).text.contains("My title"))
    #expect(await site.answer("GET", "/items", token).text.contains("rel=\"next\""))
    #expect(await site.answer("GET", "/feeds/all.json", token).text.contains("My title"))
  }

  @Test func `the transfers in one state are found, however old they are`() async throws {
    let site = try TestSite()
    let store: any Store = site.store
    let ids = try await Self.endedTransfers(3, of: "films", in: store)
    var oldest = try #require(try await store.transfer(ids[0]))
    oldest.state = .done
    _ = try await store.update(oldest)
    let token = Self.bearer(try site.token())
    let expected: [(state: String, ids: [Int64])] = [
      ("done", [ids[0]]), ("failed", [ids[2]]), ("queued", []),
    ]
    for (state, found) in expected {
      let answer = await site.answer("GET", "/api/v1/transfers?limit=1&state=\(state)", token)
      let shown = answer.value["data"]?.arrayValue?.compactMap { $0["id"]?.integerValue }
      #expect(shown == found, "\(state)")
    }
  }

  /// Stores transfers of a job, which have all failed, and returns their ids.
  private static func endedTransfers(
    _ count: Int, of job: JobName, in store: any Store
  ) async throws -> [Int64] {
    let number = UInt64(try await store.newTransferID())
    let run = RunID(startedAt: TestSite.start, random: (1, number))
    _ = try await store.openJob(job, run: run)
    var commit = RunCommit(
      record: RunRecord(
        run: run, job: job, plugin: "films", trigger: .manual, outcome: .noData(.empty),
        startedAt: TestSite.start))
    for _ in 0..<count {
      let id = try await store.newTransferID()
      let request = TransferRequest(url: "https://a.test/f", to: try FilePath("f\(id)"))
      commit.transfers.append(QueuedTransfer(id: id, request: request))
    }
    _ = try await store.commit(commit)
    store.abandon(job, run: run)
    for transfer in commit.transfers {
      var record = try #require(try await store.transfer(transfer.id))
      record.state = .failed
      record.updatedAt = TestSite.start + .seconds(transfer.id)
      _ = try await store.update(record)
    }
    return commit.transfers.map(\.id)
  }

  @Test func `an expired or removed token opens nothing`() async throws {
    let site = try TestSite()
    let token = try site.token(expiresIn: .seconds(60))
    #expect(await site.answer("GET", "/api/v1/items", Self.bearer(token)).status == 200)
    site.advance(.seconds(60))
    #expect(await site.answer("GET", "/api/v1/items", Self.bearer(token)).status == 401)
    let other = try site.token("other")
    try site.access.file.change { records throws(AccessFileError) in records.tokens = [] }
    #expect(await site.answer("GET", "/api/v1/items", Self.bearer(other)).status == 401)
  }

  @Test func `guessing is slowed down, a valid token is not`() async throws {
    let site = try TestSite()
    let token = try site.token()
    let wrong = Self.bearer("frt_" + String(repeating: "a", count: 43))
    for _ in 0..<10 { #expect(await site.answer("GET", "/api/v1/items", wrong).status == 401) }
    let answer = await site.answer("GET", "/api/v1/items", wrong)
    #expect(answer.status == 429)
    #expect(answer.headers.first("Retry-After") == "61")
    #expect(await site.answer("GET", "/api/v1/items", Self.bearer(token)).status == 200)
  }

  @Test func `a token in a query opens nothing but feeds`() async throws {
    let site = try TestSite()
    let token = try site.token()
    let answer = await site.answer("GET", "/api/v1/items?token=\(token)")
    #expect(answer.status == 401)
  }

  @Test func `the last use is stored, at most once an hour`() async throws {
    let site = try TestSite()
    let token = try site.token()
    _ = await site.answer("GET", "/api/v1/items", Self.bearer(token))
    #expect(try site.access.file.records().tokens.first?.lastUsedAt == TestSite.start)
    site.advance(.seconds(60))
    _ = await site.answer("GET", "/api/v1/items", Self.bearer(token))
    #expect(try site.access.file.records().tokens.first?.lastUsedAt == TestSite.start)
  }

  @Test func `the file has hashes alone, for its owner alone`() async throws {
    let site = try TestSite()
    let token = try site.token()
    let text = try TemporaryFolder.read(site.access.file.path)
    #expect(!text.contains(token))
    #expect(!text.contains(token.dropFirst(4)))
    var status = stat()
    #expect(stat(site.access.file.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a change that would make the file too large to be read is refused`() throws {
    let site = try TestSite()
    _ = try site.token("small")
    let long = String(repeating: "a", count: AccessRecords.bytesMax)
    let problem = AccessFileError(
      "\(site.access.file.path) would have more than 1048576 bytes; remove some tokens (`fetchrun"
        + " token remove NAME`) or addresses for pushes (`fetchrun push --remove-address JOB`)"
        + " first")
    #expect(throws: problem) { _ = try site.token("large", jobs: [long]) }
    #expect(try site.access.file.records().tokens.map(\.name) == ["small"])
  }

  @Test func `the records read back as they were written`() throws {
    var records = AccessRecords()
    let now = TestSite.start
    let random = SeededWords()
    records.tokens = [
      WebToken(
        name: "a\"b", hash: AccessSecret.hash("x"), scopes: [.read, .grant], jobs: ["n*"],
        createdAt: now, expiresAt: now + .seconds(5)),
      WebToken(name: "all", hash: AccessSecret.hash("y"), scopes: [], createdAt: now),
    ]
    let code = records.addCode(now: now) { random.next() }
    #expect(records.logIn(code, now: now) { random.next() } != nil)
    _ = records.addCode(now: now) { random.next() }
    #expect(AccessRecords(json: records.json) == records)
    #expect(AccessRecords(json: Array("{}".utf8)) == nil)
    #expect(AccessRecords(json: Array("nothing".utf8)) == nil)
  }

  @Test func `a damaged end does not make a token last for ever`() throws {
    let hash = Hexadecimal.text(of: AccessSecret.hash("x"))
    let text = """
      {"version":1,"tokens":[{"name":"a","hash":"\(hash)","scopes":["read"],"jobs":null,
       "createdAt":"2026-11-24T10:00:00Z","expiresAt":"soon"}],"sessions":[],"codes":[]}
      """
    #expect(AccessRecords(json: Array(text.utf8))?.tokens == [])
  }

  @Test func `a file that others can read is refused`() async throws {
    let site = try TestSite()
    let token = try site.token()
    #expect(chmod(site.access.file.path, 0o644) == 0)
    let answer = await site.answer("GET", "/api/v1/items", Self.bearer(token))
    #expect(answer.status == 500)
    #expect(answer.text.contains("chmod 600"))
  }

  @Test func `only the own user may use the unix socket`() async throws {
    let site = try TestSite()
    let own = WebPeer.local(user: geteuid())
    #expect(await site.answer("GET", "/api/v1/items", peer: own).status == 200)
    let other = WebPeer.local(user: geteuid() &+ 1)
    #expect(await site.answer("GET", "/api/v1/items", peer: other).status == 403)
    #expect(await site.answer("GET", "/api/v1/items", peer: .local(user: nil)).status == 403)
  }

  @Test func `a user whom a trusted proxy names is logged in`() async throws {
    var settings = WebSettings()
    settings.proxyFrom = [try AddressBlock(parsing: "10.0.0.1")]
    settings.proxyUser = "Remote-User"
    let site = try TestSite(settings)
    let proxy = WebPeer.address(try #require(IPAddress("10.0.0.1")))
    let other = WebPeer.address(try #require(IPAddress("10.0.0.2")))
    let fields: [WebHeaders.Field] = [("Remote-User", "ada")]
    #expect(await site.answer("GET", "/api/v1/items", fields, peer: proxy).status == 200)
    #expect(await site.answer("GET", "/api/v1/items", fields, peer: other).status == 401)
    #expect(await site.answer("GET", "/api/v1/items", peer: proxy).status == 401)
    #expect(
      await site.answer("GET", "/api/v1/items", fields + fields, peer: proxy).status == 401)
    #expect(await site.answer("POST", "/api/v1/pause", fields, peer: proxy).status == 403)
  }
}
