package import FetchValues

/// The validators that show whether a representation is still the one of a received part (RFC 9110
/// section 8.8).
package struct RangeValidators: Equatable, Sendable {
  /// The entity tag as received. A weak one (`W/`) cannot be used in a request, but it can be
  /// compared.
  package var etag: String?
  package var lastModified: String?
  /// Whether the date can be used in a request: it is so long before the answer that the file
  /// cannot have changed twice in that second.
  package var hasStrongDate: Bool

  /// The distance of RFC 7232 section 2.2.2, which allows for clock differences.
  package static let strongDateAge: Duration = .seconds(60)
  /// A longer validator is an attack on the store.
  private static let bytesMax = ConditionalRule.validatorBytesMax

  package init(etag: String? = nil, lastModified: String? = nil, hasStrongDate: Bool = false) {
    self.etag = etag
    self.lastModified = lastModified
    self.hasStrongDate = hasStrongDate
  }

  /// Reads an answer's fields with lower-case names. Without `Date` the answer was made now.
  package init(_ fields: [HTTPField], now: Timestamp) {
    etag = Self.value("etag", fields)
    lastModified = Self.value("last-modified", fields)
    let answeredAt = Self.value("date", fields).flatMap(HTTPDate.parse) ?? now
    let modifiedAt = lastModified.flatMap(HTTPDate.parse)
    hasStrongDate = modifiedAt.map { answeredAt - $0 >= Self.strongDateAge } ?? false
  }

  /// The value of `If-Range`: a strong entity tag, otherwise a strong date; nil if neither exists,
  /// so that a part is useless.
  package var ifRange: String? {
    if let etag, !Self.isWeak(etag) { return etag }
    return hasStrongDate ? lastModified : nil
  }

  /// Whether an answer with those validators is of the same representation. An entity tag must be
  /// repeated (RFC 9110 section 15.3.7 requires it in a 206); a date may be missing.
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
