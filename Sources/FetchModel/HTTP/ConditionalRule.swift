/// What to ask so that an unchanged answer costs nothing, and what to remember of an answer
/// (RFC 9110 section 13).
package enum ConditionalRule {
  /// Longer ones are no validators but an attack on the store.
  package static let validatorBytesMax = 1_024

  /// The key that a plan's validators are stored under: its address, and what else decides which
  /// representation comes back.
  package static func key(_ plan: RequestPlan) -> String {
    let chosen = ["accept", "accept-language"].compactMap { name in
      plan.headers.first { $0.name.asciiLowercased == name }.map { "\(name)=\($0.value)" }
    }
    return chosen.isEmpty
      ? plan.target.text : plan.target.text + "#" + chosen.joined(separator: "&")
  }

  /// The headers that ask for the body only if it is new; none when the last whole body is too
  /// long ago (some servers answer 304 for ever).
  package static func headers(_ validators: Validators?, now: Timestamp) -> [HTTPField] {
    guard let validators, isTrusted(validators, now: now) else { return [] }
    var fields: [HTTPField] = []
    if let etag = validators.etag { fields.append(HTTPField("If-None-Match", etag)) }
    if let date = validators.lastModified { fields.append(HTTPField("If-Modified-Since", date)) }
    return fields
  }

  private static func isTrusted(_ validators: Validators, now: Timestamp) -> Bool {
    let age = now - validators.lastFullAnswerAt
    return age >= .zero && age <= Validators.trustedFor
  }

  /// What to remember after a GET's 200 with that body.
  package static func afterFullAnswer(
    _ headers: [HTTPField], bodyHash: [UInt8], now: Timestamp
  ) -> Validators {
    Validators(
      etag: validator("etag", headers), lastModified: validator("last-modified", headers),
      bodyHash: bodyHash, lastFullAnswerAt: now)
  }

  /// What to remember after a 304: its own validators where it has any, else the old ones
  /// (RFC 9111 section 4.3.4).
  package static func afterNotModified(_ headers: [HTTPField], old: Validators) -> Validators {
    var validators = old
    validators.etag = validator("etag", headers) ?? old.etag
    validators.lastModified = validator("last-modified", headers) ?? old.lastModified
    return validators
  }

  private static func validator(_ name: String, _ headers: [HTTPField]) -> String? {
    guard let value = headers.first(where: { $0.name == name })?.value, !value.isEmpty,
      value.utf8.count <= validatorBytesMax,
      value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return value
  }
}
