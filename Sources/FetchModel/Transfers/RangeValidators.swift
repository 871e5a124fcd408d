package import FetchValues

/// The validators that show whether the file on a server is the same file from which a part was
/// received (RFC 9110 section 8.8).
package struct RangeValidators: Equatable, Sendable {
  /// The entity tag as received. A weak tag (`W/`) cannot be used in a request, but it can be
  /// compared.
  package var etag: String?
  package var lastModified: String?
  /// Whether the modification date can be used in a request. The date must be so old that the file
  /// cannot have changed again in the same second.
  package var hasStrongDate: Bool

  /// The minimum age of a modification date that is used in a request (RFC 7232 section 2.2.2). The
  /// minimum allows for clock differences.
  package static let strongDateAge: Duration = .seconds(60)
  /// The maximum length of a stored validator, in bytes: see `ConditionalRule.validatorBytesMax`.
  private static let bytesMax = ConditionalRule.validatorBytesMax

  package init(etag: String? = nil, lastModified: String? = nil, hasStrongDate: Bool = false) {
    self.etag = etag
    self.lastModified = lastModified
    self.hasStrongDate = hasStrongDate
  }

  /// Reads the validators from an answer's fields, which have lower-case names. An answer without
  /// `Date` counts as made now.
  package init(_ fields: [HTTPField], now: Timestamp) {
    etag = Self.value("etag", fields)
    lastModified = Self.value("last-modified", fields)
    let answeredAt = Self.value("date", fields).flatMap(HTTPDate.parse) ?? now
    let modifiedAt = lastModified.flatMap(HTTPDate.parse)
    hasStrongDate = modifiedAt.map { answeredAt - $0 >= Self.strongDateAge } ?? false
  }

  /// The value of `If-Range`: a strong entity tag, otherwise a strong date. The value is nil if
  /// there is neither, so that the download cannot be resumed.
  package var ifRange: String? {
    if let etag, !Self.isWeak(etag) { return etag }
    return hasStrongDate ? lastModified : nil
  }

  /// Whether the validators of a later answer show that the file is the same. The later answer must
  /// repeat the entity tag, as RFC 9110 section 15.3.7 requires for a 206. A date may be missing.
  package func agree(with later: RangeValidators) -> Bool {
    if let etag {
      guard let other = later.etag, Self.opaque(etag) == Self.opaque(other) else { return false }
    }
    guard let lastModified, let other = later.lastModified else { return true }
    return lastModified.hasSameBytes(as: other)
  }

  private static func isWeak(_ tag: String) -> Bool { tag.hasPrefix("W/") }

  private static func opaque(_ tag: String) -> ExactText {
    ExactText(isWeak(tag) ? String(tag.dropFirst(2)) : tag)
  }

  private static func value(_ name: String, _ fields: [HTTPField]) -> String? {
    guard let value = fields.first(where: { $0.name == name })?.value, !value.isEmpty,
      value.utf8.count <= bytesMax, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return value
  }
}
