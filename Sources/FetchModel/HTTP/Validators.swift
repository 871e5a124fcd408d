package import FetchValues

/// What the host remembers of one URL of one job to ask "anything new?" next time.
///
/// `etag` and `lastModified` are opaque text, sent back exactly as received (RFC 9110 section 13.1),
/// taken from every 200 and 304; they are committed in the same transaction as the run's items, for
/// an ETag saved before its items would lose them at the next 304.
package struct Validators: Equatable, Sendable {
  package var etag: String?
  package var lastModified: String?
  /// SHA-256 of the last 200's body, for servers without validators.
  package var bodyHash: [UInt8]?
  /// When the last 200 came; after eight days without one, a plain request is made, since some
  /// servers answer 304 for ever (NetNewsWire's field experience).
  package var lastFullAnswerAt: Timestamp

  /// What the body was read by and for: a hash over the plugin's text and the job's options. When
  /// either changes, the same body may mean other items, so these validators must not be used.
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
