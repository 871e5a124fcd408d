package import FetchValues

/// One line of a reply. A reply has any number of lines `{"line":{…}}`, then one line
/// `{"end":{"status":0,"message":null}}`. The end also has a member `code` if `ControlEnd.code` is
/// set.
package enum ControlReply: Equatable, Sendable {
  case line(Value)
  case end(ControlEnd)

  /// The maximum length of one line in bytes.
  package static let bytesMax = 1 << 20
  private static let depthMax = 16

  /// The bytes of the line with its line break. A value that JSON cannot express becomes null.
  package var bytes: [UInt8] {
    let text = (try? JSONWriter.text(value)) ?? #"{"line":null}"#
    return Array(text.utf8) + [UInt8(ascii: "\n")]
  }

  private var value: Value {
    switch self {
    case .line(let value): return ["line": value]
    case .end(let end):
      var members = ValueObject([
        ("status", .integer(Int64(end.status))),
        ("message", end.message.map(Value.string) ?? .null),
      ])
      if let code = end.code { members.append("code", .string(code.rawValue)) }
      return ["end": .object(members)]
    }
  }

  package init(line: [UInt8]) throws(ControlError) {
    let problem = ControlError(
      .badReply,
      "the daemon's answer cannot be read: restart the daemon if its version differs from"
        + " this program's")
    guard let value = try? JSONReader.decode(line, depthMax: Self.depthMax) else { throw problem }
    if let line = value["line"] {
      self = .line(line)
    } else if let end = value["end"], let number = end["status"]?.integerValue,
      let status = Int32(exactly: number)
    {
      let code = end["code"]?.stringValue.flatMap(ControlEnd.Code.init)
      self = .end(ControlEnd(status: status, message: end["message"]?.stringValue, code: code))
    } else {
      throw problem
    }
  }
}

/// The result of a request, which is the last line of the reply.
package struct ControlEnd: Hashable, Sendable {
  /// A failure that programs treat differently from other failures.
  package enum Code: String, Hashable, Sendable {
    /// The request names an unknown job.
    case unknownJob
    /// Too many clients already wait for runs or watch for changes.
    case tooManyClients
    /// The plugin file has changed since its permissions were shown.
    case changed
  }

  /// The exit status of the requesting program; 0 is success.
  package var status: Int32
  /// The message for a person; nil if the lines of the reply are enough.
  package var message: String?
  /// The kind of a failure that programs treat differently from other failures; otherwise nil.
  package var code: Code?
  /// The problems of a config that was not loaded, each as a JSON object. `JobControl` sends these
  /// objects as lines before the end of the reply.
  package var problems: [String] = []

  package init(status: Int32 = 0, message: String? = nil, code: Code? = nil) {
    self.status = status
    self.message = message
    self.code = code
  }

  package static let done = ControlEnd()

  package static func failed(
    _ message: String, status: Int32 = 1, code: Code? = nil
  ) -> ControlEnd {
    ControlEnd(status: status, message: message, code: code)
  }

  package static func unknownJob(_ name: JobName, among names: [JobName]) -> ControlEnd {
    .failed(
      "there is no job '\(name)'\(NearestName.hint(name, among: names))", code: .unknownJob)
  }
}

/// The reason why a request to a daemon failed, or why a process cannot listen on its socket.
package struct ControlError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// There is no socket, or no process listens on it any more.
    case noDaemon
    /// Another process listens on the socket.
    case inUse
    /// The request is invalid or too long.
    case badRequest
    /// The answer is invalid or ended too early.
    case badReply
    /// The socket cannot be used. For example, the system refused it, or it belongs to another
    /// user.
    case unusable
    /// The client stopped waiting. The daemon may continue.
    case cancelled
    /// The client was cancelled before the daemon could receive the whole request.
    case notSent
  }

  package var code: Code
  /// The message for the user: the problem and, if the user can solve it, what to do.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ControlError: CustomStringConvertible {
  package var description: String { message }
}
