package import FetchValues

/// An error that ends the connection with the other side.
package enum WireError: Error, Equatable {
  /// The peer closed its end or exited.
  case closed
  /// A system call failed with this errno.
  case system(Int32)
  case payloadTooLong(Int)
  case unknownKind(UInt8)
  case invalidValue(ValueError)
  /// A valid frame at the wrong time.
  case unexpected(StaticString)

  package static func == (left: WireError, right: WireError) -> Bool {
    "\(left)" == "\(right)"
  }
}

extension WireError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .closed: "the other side closed the connection"
    case .system(let code): "reading or writing failed (errno \(code))"
    case .payloadTooLong(let count): "a frame is too long: \(count) bytes"
    case .unknownKind(let kind): "a frame has the unknown kind \(kind)"
    case .invalidValue(let error): "a frame cannot be read: \(error)"
    case .unexpected(let what): "unexpected: \(what)"
    }
  }
}
