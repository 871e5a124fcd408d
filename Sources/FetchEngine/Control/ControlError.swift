/// Why a daemon could not be asked, or could not listen.
package struct ControlError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// There is no socket, or nobody listens on it any more.
    case noDaemon
    /// Another daemon listens there.
    case inUse
    /// What was asked cannot be read or is too long.
    case badRequest
    /// What was answered cannot be read, or ended too early.
    case badReply
    /// The system refused a socket, a folder or a connection.
    case unusable
    case cancelled
  }

  package var code: Code
  /// What happened, to what, and what to do.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ControlError: CustomStringConvertible {
  package var description: String { message }
}
