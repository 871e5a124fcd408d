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
