/// The bounds of the protocol between host and worker.
package enum WireLimits {
  /// Host and worker come from the same build; anything else is a mix-up of installations.
  package static let protocolVersion = 2
  /// The worker's end of the socket pair.
  package static let workerDescriptor: Int32 = 3
  /// u32 payload length, u32 run, u8 kind; little-endian.
  package static let headerBytes = 9
  /// The largest body (16 MiB by default, 32 at most) fits with room for its headers.
  package static let payloadBytesMax = 48 << 20
  /// One read takes many frames of a busy worker; larger frames grow the buffer for their stay.
  package static let readBufferBytes = 256 << 10
  /// A writer with this much waiting stops making more until the other side has read.
  package static let backlogBytesMax = 4 << 20
}
