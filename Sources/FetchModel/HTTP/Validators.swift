package import FetchValues

/// The stored facts about one URL of one job. They allow the next run to request the body only if
/// it has changed.
///
/// `etag` and `lastModified` are opaque text, sent back exactly as received (RFC 9110 section
/// 13.1), and updated by every 200 and 304. The validators are committed in one transaction with
/// the run's items. If an ETag were stored before the items, a crash followed by a 304 would lose
/// these items.
package struct Validators: Equatable, Sendable {
  package var etag: String?
  package var lastModified: String?
  /// The SHA-256 of the body of the last 200, for servers that send no validators.
  package var bodyHash: [UInt8]?
  /// The time of the last 200. After eight days without a 200, the host sends a request without
  /// conditions, because some servers answer 304 forever (NetNewsWire's field experience).
  package var lastFullAnswerAt: Timestamp

  /// A hash over the plugin's text and the job's options, which were used to read the body. If this
  /// hash changes, the same body may give other items, so these validators must not be used.
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
