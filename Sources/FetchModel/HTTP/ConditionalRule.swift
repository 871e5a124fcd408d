package import FetchValues

/// The rules for conditional requests and stored validators (RFC 9110 section 13). Conditional
/// requests make unchanged answers cheap.
package enum ConditionalRule {
  /// The maximum length of a stored validator, in bytes. No ordinary server sends longer
  /// validators.
  package static let validatorBytesMax = 1_024

  /// Returns the key under which the validators of a plan are stored. The key consists of the
  /// address and the headers `Accept` and `Accept-Language`, if the request has them. The key of a
  /// WebDAV query also has the method, the header `Depth` and a hash of the body.
  package static func key(_ plan: RequestPlan) -> String {
    let isQuestion = HTTPMethod.isQuestion(plan.method)
    var parts = isQuestion ? ["method=" + plan.method] : []
    for name in isQuestion ? ["depth"] + choosing : choosing {
      let field = plan.headers.first { $0.name.hasSameLetters(as: name) }
      guard let field else { continue }
      parts.append("\(name)=\(field.value)")
    }
    if isQuestion {
      let hash = SHA256.hash(data: plan.body ?? [])
      parts.append("body=" + Hexadecimal.text(of: hash))
    }
    return parts.isEmpty ? plan.target.text : plan.target.text + "#" + parts.joined(separator: "&")
  }

  private static let choosing = ["accept", "accept-language"]

  /// Returns the headers that request the body only if it has changed. The result is empty if
  /// neither an ETag nor a modification date is stored. It is also empty if the last full answer is
  /// too old, because some servers answer 304 forever. A time in the future counts as too old.
  package static func headers(_ validators: Validators?, now: Timestamp) -> [HTTPField] {
    guard let validators, isTrusted(validators, now: now) else { return [] }
    var fields: [HTTPField] = []
    fields.reserveCapacity(2)
    if let etag = validators.etag { fields.append(HTTPField("If-None-Match", etag)) }
    if let date = validators.lastModified { fields.append(HTTPField("If-Modified-Since", date)) }
    return fields
  }

  /// Whether `headers` returns any header.
  package static func isCondition(_ validators: Validators?, now: Timestamp) -> Bool {
    guard let validators, isTrusted(validators, now: now) else { return false }
    return validators.etag != nil || validators.lastModified != nil
  }

  private static func isTrusted(_ validators: Validators, now: Timestamp) -> Bool {
    let age = now - validators.lastFullAnswerAt
    return age >= .zero && age <= Validators.trustedFor
  }

  /// Whether the answer has a complete body that can be compared with another body. The result is
  /// true if `plan.comparesBody` is true and the status is 200 or, for a WebDAV query, 200 or 207.
  package static func isFullAnswer(_ status: Int, to plan: RequestPlan) -> Bool {
    plan.comparesBody && (status == 200 || status == 207 && HTTPMethod.isQuestion(plan.method))
  }

  /// Returns the validators after a full answer. For a WebDAV query, the ETag and the modification
  /// date are left out.
  package static func afterFullAnswer(
    _ headers: [HTTPField], to plan: RequestPlan, bodyHash: [UInt8], now: Timestamp
  ) -> Validators {
    guard plan.takesValidators else {
      return Validators(bodyHash: bodyHash, lastFullAnswerAt: now)
    }
    return Validators(
      etag: validator("etag", headers), lastModified: validator("last-modified", headers),
      bodyHash: bodyHash, lastFullAnswerAt: now)
  }

  /// Returns the validators after a 304. A validator that is missing or invalid in the 304 keeps
  /// its old value (RFC 9111 section 4.3.4).
  package static func afterNotModified(_ headers: [HTTPField], old: Validators) -> Validators {
    var validators = old
    validators.etag = validator("etag", headers) ?? old.etag
    validators.lastModified = validator("last-modified", headers) ?? old.lastModified
    return validators
  }

  private static func validator(_ name: String, _ headers: [HTTPField]) -> String? {
    guard var value = headers.first(where: { $0.name == name })?.value, !value.isEmpty,
      value.utf8.count <= validatorBytesMax,
      value.withUTF8({ $0.allSatisfy { $0 >= 0x20 && $0 != 0x7F } })
    else { return nil }
    return value
  }
}

/// The stored facts about the answers to one request of a job. They allow the next run to request
/// the body only if it has changed.
///
/// `etag` and `lastModified` are opaque text, sent back exactly as received (RFC 9110 section
/// 13.1). The validators are committed in one transaction with the run's last items. If an ETag
/// were stored before the items, a crash followed by a 304 would lose these items.
package struct Validators: Equatable, Sendable {
  package var etag: String?
  package var lastModified: String?
  /// The SHA-256 of the last full body.
  package var bodyHash: [UInt8]?
  /// The time of the last full answer: a 200 or, for a WebDAV query, also a 207. After eight days
  /// without a full answer, the host sends a request without conditions, because some servers
  /// answer 304 forever (NetNewsWire's field experience).
  package var lastFullAnswerAt: Timestamp

  /// A value that identifies the plugin and the hooks with `on_item`, each with its options. These
  /// determined which items the job read from the body. If this value changes, the same body may
  /// give other items, so these validators must not be used.
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
