/// The state of a download of which a part may be on the disk.
package struct PartialDownload: Equatable, Sendable {
  /// The number of bytes received from the start of the file.
  package var receivedBytes: Int64 = 0
  /// The total size of the file in bytes; nil if no answer gave the size.
  package var totalBytes: Int64?
  package var validators = RangeValidators()

  package init() {}

  /// The byte offset from which the next request continues; 0 to request the whole file.
  package var offset: Int64 { validators.ifRange == nil ? 0 : receivedBytes }

  /// Whether all bytes were received, so that no request is needed. The value is false for an empty
  /// file, which costs one request.
  package var isComplete: Bool { receivedBytes > 0 && totalBytes == receivedBytes }
}
