import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import FetchWeb

/// Tests of the deadlines of a connection, on an event loop whose time only the test moves.
@Suite struct DeadlineTests {
  private struct Connection {
    let channel = EmbeddedChannel()

    /// - Parameters:
    ///   - checksBody: whether each body is checked, with a check that never gets ready.
    ///   - answers: whether requests are answered. If false, no answer ever gets ready.
    init(checksBody: Bool = false, answers: Bool = true) throws {
      let handler = ConnectionHandler(
        ConnectionService(
          answer: { _ in
            if answers { return WebResponse(200) }
            return await withUnsafeContinuation { (_: UnsafeContinuation<WebResponse, Never>) in }
          }, bodyBytesMax: { _, _ in WebLimits.bodyBytesMax },
          checksBody: { _, _ in checksBody },
          beginBody: { _ in
            await withUnsafeContinuation { (_: UnsafeContinuation<BodyCheck?, Never>) in }
          },
          now: { TestSite.start }), peer: TestSite.loopback, port: 7397)
      try ConnectionPipeline.configure(channel, handler)
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    func advance(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    /// Returns all bytes that the server has written, as a string.
    func answer() throws -> String {
      var text = ""
      while let bytes = try channel.readOutbound(as: ByteBuffer.self) {
        text += String(buffer: bytes)
      }
      return text
    }
  }

  @Test func `a connection without a request closes after a minute`() throws {
    let connection = try Connection()
    connection.advance(59)
    #expect(connection.channel.isActive)
    connection.advance(1)
    #expect(!connection.channel.isActive)
    #expect(try connection.answer() == "")
  }

  @Test func `a slow head is refused after ten seconds, however it trickles`() throws {
    let connection = try Connection()
    connection.advance(30)
    try connection.send("GET / HTTP/1.1\r\n")
    for number in 0..<9 {
      connection.advance(1)
      try connection.send("A\(number): b\r\n")
    }
    #expect(try connection.answer() == "")
    connection.advance(1)
    #expect(try connection.answer().hasPrefix("HTTP/1.1 408 "))
    connection.advance(2)
    #expect(!connection.channel.isActive)
  }

  @Test func `the time until the server is ready to check a body is not the client's`() throws {
    let connection = try Connection(checksBody: true)
    try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
    connection.advance(3600)
    #expect(try connection.answer() == "")
    #expect(connection.channel.isActive)
  }

  @Test func `a slow body is refused after thirty seconds`() throws {
    let connection = try Connection()
    try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
    for _ in 0..<29 {
      connection.advance(1)
      try connection.send("a")
    }
    #expect(try connection.answer() == "")
    connection.advance(1)
    #expect(try connection.answer().hasPrefix("HTTP/1.1 408 "))
  }

  @Test func `a connection that sends much after CONNECT is closed`() throws {
    let connection = try Connection(answers: false)
    try connection.send("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n")
    let most = (WebLimits.headBytesMax + ConnectionPipeline.readBytesMax) / 1024
    for _ in 0..<most { try connection.send(String(repeating: "a", count: 1024)) }
    #expect(connection.channel.isActive)
    try connection.send("a")
    connection.advance(0)
    #expect(!connection.channel.isActive)
  }
}
