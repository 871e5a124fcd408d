import Glibc
import Synchronization

/// An HTTP/1 server on loopback that sends exactly the bytes of a test's script, valid or not. Each
/// connection has a thread, on which the script runs once for each request.
package final class ScriptedServer: Sendable {
  package struct Request: Sendable {
    package var method: String
    package var path: String
    /// The whole head of the request, from the request line to the blank line.
    package var head: String
    /// The bytes of the head. They are not always valid UTF-8.
    package var headBytes: [UInt8] = []
    package var body: [UInt8]

    /// Returns the value of a header, or nil if the header was not sent. The case of the name does
    /// not matter.
    package func header(_ name: String) -> String? {
      let start = name.lowercased() + ":"
      for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(start) {
        return String(line.dropFirst(start.utf8.count).drop { $0 == " " })
      }
      return nil
    }
  }

  package typealias Script = @Sendable (Request, ScriptedConnection) -> Void

  package let port: UInt16
  private let listener: Int32
  private let seen = Mutex<[Request]>([])
  private let connections = Atomic<Int>(0)
  private let greeting: Greeting
  private let script: Script

  /// The conversation on a connection before the first request. If the function returns false, the
  /// server closes the connection.
  package typealias Greeting = @Sendable (ScriptedConnection) -> Bool

  /// Starts the server at a free port of `address`.
  package init(
    address: String = "127.0.0.1", greeting: @escaping Greeting = { _ in true },
    _ script: @escaping Script
  ) throws {
    let (listener, port) = try LoopbackSocket.listen(address)
    self.listener = listener
    self.port = port
    self.greeting = greeting
    self.script = script
    let context = Unmanaged.passRetained(self).toOpaque()
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        context.map { Unmanaged<ScriptedServer>.fromOpaque($0).takeRetainedValue().accept() }
        return nil
      }, context)
    pthread_detach(thread)
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  /// The requests in the order in which they arrived.
  package var requests: [Request] { seen.withLock { $0 } }
  package var connectionCount: Int { connections.load(ordering: .relaxed) }

  /// Stops accepting connections. Existing connections continue.
  package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func accept() {
    while true {
      let socket = Glibc.accept(listener, nil, nil)
      if socket < 0 { break }
      connections.add(1, ordering: .relaxed)
      serve(ScriptedConnection(socket))
    }
    close(listener)
  }

  private func serve(_ connection: ScriptedConnection) {
    let work = Unmanaged.passRetained(ScriptedWork(server: self, connection: connection))
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        context.map { Unmanaged<ScriptedWork>.fromOpaque($0).takeRetainedValue().run() }
        return nil
      }, work.toOpaque())
    pthread_detach(thread)
  }

  fileprivate func answerAll(_ connection: ScriptedConnection) {
    guard greeting(connection) else { return connection.close() }
    while connection.isOpen, let request = connection.readRequest() {
      seen.withLock { $0.append(request) }
      script(request, connection)
    }
    connection.close()
  }
}

private final class ScriptedWork: Sendable {
  let server: ScriptedServer
  let connection: ScriptedConnection

  init(server: ScriptedServer, connection: ScriptedConnection) {
    self.server = server
    self.connection = connection
  }

  func run() { server.answerAll(connection) }
}
