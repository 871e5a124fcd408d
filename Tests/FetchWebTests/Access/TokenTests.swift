import FetchConfig
import FetchModel
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
  }

  @Test func `a token opens what its scopes say`() async throws {
    let site = try TestSite()
    let read = try site.token("phone", [.read])
    #expect(await site.answer("GET", "/api/v1/items", Self.bearer(read)).status == 200)
    let answer = await site.answer("POST", "/api/v1/pause", Self.bearer(read))
    #expect(answer.status == 403)
    #expect(
      answer.value["detail"]
        == "the token 'phone' lacks the scope 'act'; create a token with it: `fetchrun token add NAME --scope act`"
    )
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
