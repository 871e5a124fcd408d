package import FetchModel

/// The other end of a connection.
package enum WebPeer: Hashable, Sendable {
  /// A process of this machine, connected by the unix socket. `user` is its user id, which the
  /// kernel reports; nil if it is unknown.
  case local(user: UInt32?)
  /// A client on a TCP socket.
  case address(IPAddress)

  /// Whether the client uses the unix socket or a loopback address.
  package var isLoopback: Bool {
    switch self {
    case .local: true
    case .address(let address):
      address.bytes.count == 4
        ? address.bytes[0] == 127
        : address.bytes.dropLast().allSatisfy { $0 == 0 } && address.bytes[15] == 1
    }
  }
}

/// A request as the HTTP parser has read it.
package struct ReceivedRequest: Sendable {
  package var method: String
  /// The target with its query, in the form in which it was sent.
  package var target: String
  package var headers: WebHeaders
  package var body: [UInt8]
  package var peer: WebPeer
  /// The port of the listener; nil for a unix socket.
  package var port: Int?
  /// The check of a body that was not kept. Nil if there is no such body, or if the request is
  /// invalid.
  package var check: BodyCheck?

  package init(
    method: String, target: String, headers: WebHeaders = WebHeaders(), body: [UInt8] = [],
    peer: WebPeer, port: Int? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.peer = peer
    self.port = port
  }
}
