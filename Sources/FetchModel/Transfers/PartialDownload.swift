/// The knowledge about a download that may be partly on the disk.
package struct PartialDownload: Equatable, Sendable {
  /// The bytes received from the start on.
  package var receivedBytes: Int64 = 0
  /// The total size, if an answer gave it.
  package var totalBytes: Int64?
  package var validators = RangeValidators()

  package init() {}

  /// The start of the next request; 0 requests the whole file.
  package var offset: Int64 { validators.ifRange == nil ? 0 : receivedBytes }

  /// Whether nothing is missing, so that no request is needed. An empty file is requested.
  package var isComplete: Bool { receivedBytes > 0 && totalBytes == receivedBytes }
}
