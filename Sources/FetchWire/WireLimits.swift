/// The bounds of the protocol between host and worker.
package enum WireLimits {
  /// Host and worker come from the same build; anything else is a mix-up of installations.
  package static let protocolVersion = 3
  /// The worker's end of the socket pair.
  package static let workerDescriptor: Int32 = 3
  /// u32 payload length, u32 run, u8 kind; little-endian.
  package static let headerBytes = 9
  /// The largest body (16 MiB by default, 32 at most) fits with room for its headers.
  package static let payloadBytesMax = 48 << 20
  /// A failure's message, file and traceback with all its frames at their longest need 56 KiB.
  static let failureBytesMax = 64 << 10
  /// The largest limit of a run's log is 16 MiB, and one line may have all of it.
  static let logLineBytesMax = 17 << 20
  /// A few numbers and flags.
  static let factsBytesMax = 256
  /// The text of a note, which is part of one line on a terminal.
  package static let noteBytesMax = 200
  /// The host's calls have names such as `http.request`.
  static let callNameBytesMax = 64
  /// One read takes many frames of a busy worker; larger frames grow the buffer for their stay.
  package static let readBufferBytes = 256 << 10
  /// A writer with this much waiting stops making more until the other side has read.
  package static let backlogBytesMax = 4 << 20
}
