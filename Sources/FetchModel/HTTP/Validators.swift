package import FetchValues

/// The host's memory of one URL of one job, for asking "anything new?" at the next run.
///
/// `etag` and `lastModified` are opaque text, sent back exactly as received (RFC 9110 section
/// 13.1), and updated by every 200 and 304. They are committed in one transaction with the run's
/// items: an ETag stored before its items would lose them at the next 304.
package struct Validators: Equatable, Sendable {
  package var etag: String?
  package var lastModified: String?
  /// The SHA-256 of the last 200's body, for servers without validators.
  package var bodyHash: [UInt8]?
  /// The time of the last 200. After eight days without one, a plain request is made, because some
  /// servers answer 304 forever (NetNewsWire's field experience).
  package var lastFullAnswerAt: Timestamp

  /// A hash over the plugin's text and the job's options that read the body. If either changes, the
  /// same body may mean other items, so these validators must not be used.
  package var reading: [UInt8]?

  package static let trustedFor: Duration = .seconds(8 * 86_400)

  package init(
    etag: String? = nil, lastModified: String? = nil, bodyHash: [UInt8]? = nil,
    lastFullAnswerAt: Timestamp
  ) {
    self.etag = etag
    self.lastModified = lastModified
    self.bodyHash = bodyHash
    self.lastFullAnswerAt = lastFullAnswerAt
  }
}
