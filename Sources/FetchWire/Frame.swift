package import FetchModel
package import FetchValues

/// One message in the buffer of a `FrameReader`. The `payload` is valid until the next call of
/// `FrameReader.fill`.
package struct Frame {
  package let run: UInt32
  package let kind: UInt8
  package let payload: UnsafeRawBufferPointer

  package init(run: UInt32, kind: UInt8, payload: UnsafeRawBufferPointer) {
    self.run = run
    self.kind = kind
    self.payload = payload
  }
}

/// The limits and other constants of the protocol between host and worker.
package enum WireLimits {
  /// The version of the protocol. A host and a worker of the same build have the same version. A
  /// difference means that the installation mixes two builds.
  package static let protocolVersion = 4
  /// The file descriptor of the worker's end of the socket pair.
  package static let workerDescriptor: Int32 = 3
  /// The size of a frame's header, in bytes: payload length (u32), run number (u32) and kind (u8),
  /// all little-endian.
  package static let headerBytes = 9
  /// The maximum length of a payload, in bytes. A payload has room for the largest body of an HTTP
  /// answer with its headers. The limit for the body is 16 MiB by default, and 40 MiB at most.
  package static let payloadBytesMax = 48 << 20
  /// The maximum length of a payload with a failure, in bytes. The failure's message, file and full
  /// traceback need at most 56 KiB.
  static let failureBytesMax = 64 << 10
  /// The maximum length of a payload with a log line, in bytes. A config can allow a run to log up
  /// to 16 MiB, and a single line may use all of it.
  static let logLineBytesMax = 17 << 20
  /// The maximum length of a payload that has only a note or a few numbers and flags, in bytes.
  static let factsBytesMax = 256
  /// The maximum length of a payload with `HubLinks`, in bytes: see `HubLinks.bounded`.
  static let linksBytesMax = 5_000
  /// The maximum length of a note, in bytes. A note is part of one line on a terminal.
  package static let noteBytesMax = 200
  /// The maximum length of the name of a host call, such as `http.request`, in bytes.
  static let callNameBytesMax = 64
  /// The size of a read buffer, in bytes. It has room for many frames of a busy worker. A frame
  /// that does not fit enlarges the buffer temporarily.
  package static let readBufferBytes = 256 << 10
  /// The amount of a worker's unsent output, in bytes, above which the worker executes no run. The
  /// worker continues when the host has read some of the output.
  package static let backlogBytesMax = 4 << 20
}

/// An error of the connection between host and worker.
package enum WireError: Error, Equatable {
  /// The other side closed the connection or exited.
  case closed
  /// A system call failed with the given errno.
  case system(Int32)
  case payloadTooLong(Int)
  case unknownKind(UInt8)
  case invalidValue(ValueError)
  /// A valid frame whose time or content the receiver does not allow.
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

extension Failure {
  /// The failure of a run that passes or receives a value that is too large for one frame.
  package static let frameLimit = Failure(
    .resultLimit,
    "a value is too large for one message between the plugin and the host (at most "
      + "\(WireLimits.payloadBytesMax >> 20) MiB); pass less data at once")
}
