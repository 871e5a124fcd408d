import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchWeb

/// Tests of the bodies of pushes over a socket. The bodies are hashed as they arrive, and are not
/// kept.
@Suite struct PushedBodyTests {
  private static let key = Array("secret".utf8)

  private func server() async throws -> (server: RawServer, path: String) {
    let daemon = PushedDaemon([
      PushRuleLine(job: "forge", signature: .standardWebhooks, key: Self.key)
    ])
    let server = try await RawServer(daemon: daemon.send)
    return (server, try server.site.pushPath("forge"))
  }

  private func head(
    _ server: RawServer, _ path: String, id: String = "m", signing body: [UInt8]
  ) -> String {
    let fields = StandardWebhook.fields(id: id, at: server.site.now, body: body, key: Self.key)
    return "POST \(path) HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n"
      + fields.map { "\($0.name): \($0.value)\r\n" }.joined()
  }

  @Test(arguments: [0, 1, 70_000, 1 << 20, 25 << 20])
  func `a body up to 25 MiB is checked`(count: Int) async throws {
    let (server, path) = try await server()
    let body = [UInt8](repeating: UInt8(ascii: "x"), count: count)
    let start = Array(
      (head(server, path, signing: body) + "Content-Length: \(count)\r\n\r\n").utf8)
    #expect(try server.exchange(start + body).hasPrefix("HTTP/1.1 202 "))
    await server.stop()
  }

  @Test func `a body in chunks, byte by byte, is checked`() async throws {
    let (server, path) = try await server()
    let client = try RawClient(port: server.port)
    client.send(
      head(server, path, signing: Array("abc".utf8)) + "Transfer-Encoding: chunked\r\n\r\n")
    for byte in "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n".utf8 { client.send([byte]) }
    #expect(client.rest().hasPrefix("HTTP/1.1 202 "))
    await server.stop()
  }

  @Test func `a changed byte in a large body is noticed`() async throws {
    let (server, path) = try await server()
    var body = [UInt8](repeating: 0, count: 3 << 20)
    let start = Array(
      (head(server, path, signing: body) + "Content-Length: \(body.count)\r\n\r\n").utf8)
    body[2 << 20] = 1
    #expect(try server.exchange(start + body).hasPrefix("HTTP/1.1 403 "))
    await server.stop()
  }

  @Test func `a larger body is refused before it arrives, or at its excess byte`() async throws {
    let (server, path) = try await server()
    let announced = try server.exchange(
      head(server, path, signing: []) + "Content-Length: \((25 << 20) + 1)\r\n\r\n")
    #expect(announced.hasPrefix("HTTP/1.1 413 "))
    let chunk =
      Array("100000\r\n".utf8) + [UInt8](repeating: 0, count: 1 << 20) + Array("\r\n".utf8)
    let client = try RawClient(port: server.port)
    client.send(head(server, path, signing: []) + "Transfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<26 { client.send(chunk) }
    #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 413 "))
    await server.stop()
  }

  @Test func `several pushes follow each other on one connection`() async throws {
    let (server, path) = try await server()
    let client = try RawClient(port: server.port)
    let body = Array("abc".utf8)
    let pushes = ["a", "b", "c"].map { id in
      head(server, path, id: id, signing: body).replacing("Connection: close\r\n", with: "")
        + "Content-Length: 3\r\n\r\nabc"
    }
    client.send(pushes[0] + pushes[1])
    client.send(pushes[2])
    client.finish()
    #expect(client.rest().split(separator: "HTTP/1.1 202 ").count == 3)
    await server.stop()
  }
}
