import Synchronization

/// An SMTP server on loopback that takes what it is given, or answers a receiver with a status.
package final class MailServer: Sendable {
  package struct Message: Equatable, Sendable {
    package var from: String
    package var to: [String]
    package var text: String
  }

  private final class Page: Sendable {
    let messages = Mutex<[Message]>([])
    let words = Mutex<[String]>([])
  }

  private let page: Page
  private let server: ScriptedServer

  /// - Parameter receiverStatus: what it answers to RCPT.
  package init(receiverStatus: Int = 250, offersSignIn: Bool = false) throws {
    let page = Page()
    self.page = page
    server = try ScriptedServer(greeting: { connection in
      Self.talk(connection, page, receiverStatus, offersSignIn)
      connection.close()
      return false
    }) { _, _ in }
  }

  package var url: String { "smtp://127.0.0.1:\(server.port)" }
  package var messages: [Message] { page.messages.withLock { $0 } }
  /// The lines of all clients, without messages.
  package var words: [String] { page.words.withLock { $0 } }
  package func stop() { server.stop() }

  private static func talk(
    _ connection: ScriptedConnection, _ page: Page, _ receiverStatus: Int, _ offersSignIn: Bool
  ) {
    var message = Message(from: "", to: [], text: "")
    connection.send("220 mail.test\r\n")
    while let line = line(connection) {
      page.words.withLock { $0.append(line) }
      let word = line.prefix(4).uppercased()
      switch word {
      case "EHLO":
        connection.send("250-mail.test\r\n250 \(offersSignIn ? "AUTH PLAIN" : "HELP")\r\n")
      case "MAIL":
        message.from = String(line.dropFirst(10))
        connection.send("250 ok\r\n")
      case "RCPT":
        message.to.append(String(line.dropFirst(8)))
        connection.send("\(receiverStatus) receiver\r\n")
      case "DATA":
        connection.send("354 go on\r\n")
        while let line = Self.line(connection), line != "." { message.text += line + "\r\n" }
        page.messages.withLock { $0.append(message) }
        connection.send("250 taken\r\n")
      case "AUTH": connection.send("235 welcome\r\n")
      case "QUIT": return connection.send("221 bye\r\n")
      default: connection.send("502 what\r\n")
      }
    }
  }

  private static func line(_ connection: ScriptedConnection) -> String? {
    var bytes: [UInt8] = []
    while let byte = connection.receive(1)?.first {
      if byte == UInt8(ascii: "\n") {
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
      }
      bytes.append(byte)
    }
    return nil
  }
}
