import Synchronization

/// An SMTP server on loopback. The server answers each receiver with a given status, and records
/// the messages.
package final class MailServer: Sendable {
  package struct Message: Equatable, Sendable {
    package var from: String
    package var to: [String]
    package var text: String
  }

  package enum Encryption: Sendable {
    /// The server does not use TLS.
    case none
    /// STARTTLS is offered, and used on request (RFC 3207).
    case startTLS(TLSEnd)
    /// STARTTLS is offered but refused with this answer, and the connection continues unencrypted.
    case refusedStartTLS(String)
    /// TLS is used from the first byte, as for `smtps://`.
    case implicit(TLSEnd)
  }

  /// The step of a conversation that the server is about to answer.
  package enum Step: Sendable, CaseIterable { case connected, data, message, goodbye }

  private final class Page: Sendable {
    let messages = Mutex<[Message]>([])
    let words = Mutex<[String]>([])
    let clearWords = Mutex<[String]>([])
  }

  private let page: Page
  private let server: ScriptedServer
  private let scheme: String

  /// - Parameters:
  ///   - receiverStatus: the answer to RCPT.
  ///   - arrive: called at each `Step` of each conversation. The conversation continues when
  ///     `arrive` returns.
  package init(
    receiverStatus: Int = 250, offersSignIn: Bool = false, encryption: Encryption = .none,
    arrive: @escaping @Sendable (Step) -> Void = { _ in }
  ) throws {
    let page = Page()
    self.page = page
    if case .implicit = encryption { scheme = "smtps" } else { scheme = "smtp" }
    server = try ScriptedServer(greeting: { connection in
      let talk = Talk(
        page: page, receiverStatus: receiverStatus, offersSignIn: offersSignIn,
        encryption: encryption, arrive: arrive)
      if case .implicit(let end) = encryption {
        end.serve(connection) { talk.answer($0, isEncrypted: true, greets: true) }
      } else {
        talk.answer(connection, isEncrypted: false, greets: true)
      }
      connection.close()
      return false
    }) { _, _ in }
  }

  package var url: String { url(of: "127.0.0.1") }
  package func url(of hostname: String) -> String { "\(scheme)://\(hostname):\(server.port)" }
  package var messages: [Message] { page.messages.withLock { $0 } }
  /// The lines that all clients sent, without the messages.
  package var words: [String] { page.words.withLock { $0 } }
  /// The lines that were received unencrypted.
  package var clearWords: [String] { page.clearWords.withLock { $0 } }
  package func stop() { server.stop() }

  /// The conversation with one client.
  private struct Talk: Sendable {
    let page: Page
    let receiverStatus: Int
    let offersSignIn: Bool
    let encryption: Encryption
    let arrive: @Sendable (Step) -> Void

    func answer(_ connection: ScriptedConnection, isEncrypted: Bool, greets: Bool) {
      var message = Message(from: "", to: [], text: "")
      if greets {
        arrive(.connected)
        connection.send("220 mail.test\r\n")
      }
      while let line = Self.line(connection) {
        note(line, isEncrypted)
        switch line.prefix(4).uppercased() {
        case "EHLO":
          let offers =
            ["mail.test"] + (isEncrypted ? [] : startTLS) + (offersSignIn ? ["AUTH PLAIN"] : [])
          connection.send(offers.map { "250-\($0)\r\n" }.joined() + "250 HELP\r\n")
        case "STAR":
          switch encryption {
          case .startTLS(let end):
            connection.send("220 go on\r\n")
            return end.serve(connection) { answer($0, isEncrypted: true, greets: false) }
          case .refusedStartTLS(let words): connection.send(words)
          case .none, .implicit: connection.send("502 what\r\n")
          }
        case "MAIL":
          message.from = String(line.dropFirst(10))
          connection.send("250 ok\r\n")
        case "RCPT":
          message.to.append(String(line.dropFirst(8)))
          connection.send("\(receiverStatus) receiver\r\n")
        case "DATA":
          arrive(.data)
          connection.send("354 go on\r\n")
          guard let text = Self.text(connection) else { return }
          message.text = text
          page.messages.withLock { $0.append(message) }
          arrive(.message)
          connection.send("250 taken\r\n")
        case "AUTH":
          // If the command has no initial response (RFC 4954, section 4), the response is on the
          // next line.
          if line.split(separator: " ").count < 3 {
            connection.send("334 \r\n")
            note(Self.line(connection) ?? "", isEncrypted)
          }
          connection.send("235 welcome\r\n")
        case "QUIT":
          arrive(.goodbye)
          return connection.send("221 bye\r\n")
        default: connection.send("502 what\r\n")
        }
      }
    }

    private func note(_ line: String, _ isEncrypted: Bool) {
      page.words.withLock { $0.append(line) }
      if !isEncrypted { page.clearWords.withLock { $0.append(line) } }
    }

    private var startTLS: [String] {
      switch encryption {
      case .none, .implicit: []
      case .startTLS, .refusedStartTLS: ["STARTTLS"]
      }
    }

    /// Returns the message, or nil for a truncated message.
    private static func text(_ connection: ScriptedConnection) -> String? {
      var text = ""
      while let line = line(connection) {
        if line == "." { return text }
        text += line + "\r\n"
      }
      return nil
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
}
