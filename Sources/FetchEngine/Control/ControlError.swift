/// The reason why a request to a daemon failed, or why a daemon cannot listen.
package struct ControlError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// There is no socket, or no process listens on it any more.
    case noDaemon
    /// Another daemon listens on the socket.
    case inUse
    /// The request is invalid or too long.
    case badRequest
    /// The answer is invalid or ended too early.
    case badReply
    /// The system refused a socket, a folder or a connection.
    case unusable
    case cancelled
  }

  package var code: Code
  /// The message for the user: what happened, to what, and what to do.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ControlError: CustomStringConvertible {
  package var description: String { message }
}
