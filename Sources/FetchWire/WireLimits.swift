/// The limits of the protocol between host and worker.
package enum WireLimits {
  /// The protocol version. Host and worker of one build agree; a difference is a mixed
  /// installation.
  package static let protocolVersion = 3
  /// The worker's end of the socket pair.
  package static let workerDescriptor: Int32 = 3
  /// The header: u32 payload length, u32 run, u8 kind; little-endian.
  package static let headerBytes = 9
  /// Room for the largest body (16 MiB by default, 32 at most) with its headers.
  package static let payloadBytesMax = 48 << 20
  /// The message, file and full traceback of a failure take at most 56 KiB.
  static let failureBytesMax = 64 << 10
  /// The largest limit of a run's log is 16 MiB, and one line may use all of it.
  static let logLineBytesMax = 17 << 20
  /// Messages of a few numbers and flags.
  static let factsBytesMax = 256
  /// The text of a note, which is part of one line on a terminal.
  package static let noteBytesMax = 200
  /// Host calls have names such as `http.request`.
  static let callNameBytesMax = 64
  /// One read takes many frames of a busy worker; larger frames enlarge the buffer for a while.
  package static let readBufferBytes = 256 << 10
  /// A writer with this much pending output produces no more until the other side has read.
  package static let backlogBytesMax = 4 << 20
}
