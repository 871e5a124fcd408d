import Synchronization

/// A SOCKS5 proxy (RFC 1928, RFC 1929) that answers in place of the server. The proxy records the
/// destination and the login of each connection.
package final class SOCKSProxy: Sendable {
  private let asked = Mutex<[String]>([])
  private let login: String?

  /// Creates a proxy.
  ///
  /// - Parameter login: the only login that the proxy accepts, in the form `user:password`; nil if
  ///   the proxy requires no login.
  package init(login: String? = nil) { self.login = login }

  /// The destinations in the form `hostname:port`, after `user:password@` if there was a login.
  package var targets: [String] { asked.withLock { $0 } }

  /// Performs the proxy's handshake with a client of a `ScriptedServer`. Returns whether the
  /// handshake succeeded.
  package func greet(_ connection: ScriptedConnection) -> Bool {
    guard let head = connection.receive(2), head[0] == 5,
      let methods = connection.receive(Int(head[1]))
    else { return false }
    var target = ""
    if let login {
      guard methods.contains(2) else { return refuse(connection, [5, 0xFF]) }
      connection.send([5, 2])
      guard readCredentials(connection) == login else { return refuse(connection, [1, 1]) }
      connection.send([1, 0])
      target = login + "@"
    } else {
      connection.send([5, 0])
    }
    guard let place = readPlace(connection) else { return false }
    asked.withLock { $0.append(target + place) }
    connection.send([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
    return true
  }

  private func refuse(_ connection: ScriptedConnection, _ answer: [UInt8]) -> Bool {
    connection.send(answer)
    return false
  }

  private func readCredentials(_ connection: ScriptedConnection) -> String? {
    guard let head = connection.receive(2), head[0] == 1,
      let user = connection.receive(Int(head[1])),
      let count = connection.receive(1), let password = connection.receive(Int(count[0]))
    else { return nil }
    return String(decoding: user + [UInt8(ascii: ":")] + password, as: UTF8.self)
  }

  private func readPlace(_ connection: ScriptedConnection) -> String? {
    guard let head = connection.receive(4), head[1] == 1 else { return nil }
    let hostname: String
    switch head[3] {
    case 1:
      guard let bytes = connection.receive(4) else { return nil }
      hostname = bytes.map(String.init).joined(separator: ".")
    case 3:
      guard let count = connection.receive(1), let bytes = connection.receive(Int(count[0])) else {
        return nil
      }
      hostname = String(decoding: bytes, as: UTF8.self)
    default: return nil
    }
    guard let port = connection.receive(2) else { return nil }
    return "\(hostname):\(Int(port[0]) << 8 | Int(port[1]))"
  }
}
