import FetchHost
import FetchModel
import FetchTestSupport
import Synchronization
import Testing

/// Hostnames that have asked to be left alone.
@Suite struct LeftAloneTests {
  /// What is told of hostnames, one answer after the other; then they may be asked.
  private final class Closures: LeftAlone {
    private let answers: Mutex<[String: [Timestamp]]>
    private let told = Mutex<[RetryAfterNote]>([])

    init(_ answers: [String: [Timestamp]]) { self.answers = Mutex(answers) }

    var notes: [RetryAfterNote] { told.withLock { $0 } }

    func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
      answers.withLock { answers in
        guard let first = answers[hostname]?.first else { return nil }
        answers[hostname]?.removeFirst()
        return first
      }
    }

    func close(_ note: RetryAfterNote, now: Timestamp) { told.withLock { $0.append(note) } }
  }

  private func fixture(_ closures: Closures) -> SessionFixture {
    var fixture = SessionFixture()
    fixture.policy.leftAlone = closures
    return fixture
  }

  private func server() throws -> ScriptedServer {
    try ScriptedServer { _, connection in connection.answer(200, [], "ok") }
  }

  @Test func `a request waits until it may be made, when that is within its time`() async throws {
    let server = try server()
    let start = SessionFixture.startAt
    var fixture = fixture(Closures(["127.0.0.1": [start + .seconds(5), start + .seconds(7)]]))
    let clock = WaitedClock()
    fixture.clock = clock
    #expect(try await fixture.get(server.url).get().text == "ok")
    // Somebody else heard of a longer time meanwhile.
    #expect(clock.waits == [.seconds(5), .seconds(7)])
  }

  @Test func `a request that would wait for too long is not made`() async throws {
    let server = try server()
    let until = SessionFixture.startAt + .seconds(120)
    let session = fixture(Closures(["127.0.0.1": [until]])).session()
    let failure = await session.send(HTTPRequest(url: server.url)).failure
    #expect(failure?.code == .httpStatus && failure?.retryable == true)
    #expect(failure?.message == "127.0.0.1 has asked to be left alone until \(until)")
    #expect(session.postponedUntil == until)
    #expect(server.requests.isEmpty)
  }

  @Test func `a redirect does not lead to a hostname that is left alone`() async throws {
    let server = try ScriptedServer { request, connection in
      let port = request.header("host")?.split(separator: ":").last ?? ""
      connection.answer(302, ["Location: http://localhost:\(port)/there"])
    }
    let until = SessionFixture.startAt + .seconds(120)
    let session = fixture(Closures(["localhost": [until]])).session()
    let failure = await session.send(HTTPRequest(url: server.url + "/here")).failure
    #expect(failure?.message == "localhost has asked to be left alone until \(until)")
    #expect(server.requests.map(\.path) == ["/here"])
  }

  @Test(arguments: [403, 429, 503]) func `what a server wishes is told at once`(
    status: Int
  ) async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(status, ["Retry-After: 600"])
    }
    let closures = Closures([:])
    #expect(try await fixture(closures).get(server.url).get().status == status)
    let until = SessionFixture.startAt + .seconds(600)
    #expect(
      closures.notes == [
        RetryAfterNote(origin: server.url, hostname: "127.0.0.1", status: status, until: until)
      ])
  }
}
