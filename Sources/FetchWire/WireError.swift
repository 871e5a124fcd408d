package import FetchValues

/// An error that ends the connection between host and worker.
package enum WireError: Error, Equatable {
  /// The other side closed the connection or exited.
  case closed
  /// A system call failed with the given errno.
  case system(Int32)
  case payloadTooLong(Int)
  case unknownKind(UInt8)
  case invalidValue(ValueError)
  /// A valid frame arrived at the wrong time.
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
