import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

@Suite struct RetryTests {
  /// Returns a server that answers the first request by `first`, and all later requests with 200.
  private func server(
    _ first: @escaping @Sendable (ScriptedConnection) -> Void
  ) throws -> ScriptedServer {
    let counted = Counted()
    return try ScriptedServer { _, connection in
      counted.next() == 1 ? first(connection) : connection.answer(200, [], "second")
    }
  }

  private final class Counted: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  @Test(arguments: [502, 503, 504])
  func `a request is repeated once after a temporary error of the server`(
    status: Int
  ) async throws {
    let server = try server { $0.answer(status) }
    let answer = try await SessionFixture().get(server.url).get()
    #expect(answer.text == "second")
    #expect(answer.requestCount == 2)
  }

  @Test(arguments: [500, 429, 404, 408]) func `answers with other statuses are not repeated`(
    status: Int
  ) async throws {
    let server = try server { $0.answer(status) }
    #expect(try await SessionFixture().get(server.url).get().status == status)
    #expect(server.requests.count == 1)
  }

  @Test func `a request whose answer was cut off is repeated once`() async throws {
    let server = try server { connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      connection.close()
    }
    #expect(try await SessionFixture().get(server.url).get().text == "second")
  }

  @Test func `a request is repeated only once`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(503) }
    let answer = try await SessionFixture().get(server.url).get()
    #expect((answer.status, answer.requestCount) == (503, 2))
  }

  @Test(arguments: ["POST", "PATCH"]) func `a request that is not idempotent is sent once`(
    method: String
  ) async throws {
    let server = try server { $0.close() }
    var request = HTTPRequest(url: server.url)
    request.method = method
    #expect(await SessionFixture().session().send(request).failure?.code == .connection)
    #expect(server.requests.count == 1)
  }

  @Test func `there is no retry if the server's delay exceeds the time left`() async throws {
    let server = try server { $0.answer(503, ["Retry-After: 120"]) }
    let session = SessionFixture().session()
    let answer = try await session.send(HTTPRequest(url: server.url)).get()
    #expect((answer.status, answer.requestCount) == (503, 1))
    #expect(
      session.retryAfters == [
        RetryAfterNote(
          origin: server.url, hostname: "127.0.0.1", status: 503,
          until: SessionFixture.startAt + .seconds(120))
      ])
  }

  @Test func `the retry waits for the time that the server states`() async throws {
    let server = try server { $0.answer(503, ["Retry-After: 5"]) }
    var fixture = SessionFixture()
    let clock = WaitedClock()
    fixture.clock = clock
    #expect(try await fixture.get(server.url).get().text == "second")
    #expect(clock.waits == [.seconds(5)])
  }

  @Test func `a 429 is recorded with its date`() async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let server = try server {
      $0.answer(429, ["Date: \(date)", "Retry-After: Sun, 06 Nov 1994 09:49:37 GMT"])
    }
    let session = SessionFixture().session()
    _ = try await session.send(HTTPRequest(url: server.url)).get()
    #expect(session.retryAfters.map(\.until) == [SessionFixture.startAt + .seconds(3_600)])
  }

  @Test func `a kept connection that the server has closed causes no failure`() async throws {
    let server = try ScriptedServer { request, connection in
      connection.answer(200, [], "ok")
      if request.path == "/first" { connection.close() }
    }
    for method in ["GET", "POST"] {
      let session = SessionFixture().session()
      _ = try await session.send(HTTPRequest(url: server.url + "/first")).get()
      var request = HTTPRequest(url: server.url + "/second")
      request.method = method
      #expect(try await session.send(request).get().text == "ok")
    }
    #expect(server.requests.count == 4)
  }
}

/// A clock that never waits and records its sleeps.
final class WaitedClock: Clock {
  private let asked = Mutex<[Duration]>([])

  var waits: [Duration] { asked.withLock { $0 } }
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let wait = ContinuousClock.now.duration(to: deadline)
    asked.withLock { $0.append(.seconds((wait / .seconds(1)).rounded())) }
  }
}
