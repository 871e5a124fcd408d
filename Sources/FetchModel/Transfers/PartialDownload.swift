/// What is known of a download of which a part may lie on the disk.
package struct PartialDownload: Equatable, Sendable {
  /// From the first byte on.
  package var receivedBytes: Int64 = 0
  /// Of the whole, where an answer said so.
  package var totalBytes: Int64?
  package var validators = RangeValidators()

  package init() {}

  /// Where the next request is to begin: 0 asks for the whole.
  package var offset: Int64 { validators.ifRange == nil ? 0 : receivedBytes }

  /// Whether nothing is missing, so that nothing needs to be asked for. An empty file is asked for.
  package var isComplete: Bool { receivedBytes > 0 && totalBytes == receivedBytes }
}
