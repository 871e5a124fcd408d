import FetchValues

extension SealedRequest {
  /// Returns the request's target, which no secret can change. `plain` is the address without
  /// secrets.
  package func target(plain: String) throws(Failure) -> TargetURL {
    let target: TargetURL
    if let url { target = try SealedAddress.place(url) } else { target = try TargetURL(plain) }
    if target.scheme == .file { throw SealedAddress.toFile }
    return target
  }

  /// Returns why the request's secrets may not be sent to an address; nil if all secrets may be
  /// sent.
  package func refusal(at target: TargetURL, _ grants: [SecretGrant]) -> Failure? {
    for name in names {
      guard let grant = grants.first(where: { ExactText($0.name) == ExactText(name) }) else {
        return SecretGrant.missing(name)
      }
      if let failure = grant.check(target) { return failure }
    }
    return nil
  }
}

extension SecretGrant {
  package static func missing(_ name: String) -> Failure {
    Failure(.permission, "the job has no secret '\(name)'; add it to `secrets` of the job")
  }
}

/// The rule for secrets in an address. Secrets are allowed only in the path or the query.
package enum SealedAddress {
  /// Returns the part of the address before the first secret. This part contains the whole
  /// hostname, so that no secret can change the target.
  package static func place(_ text: SecretText) throws(Failure) -> TargetURL {
    var start = ""
    for case .text(let part) in text.parts.prefix(while: \.isText) { start += part }
    guard !start.isEmpty else { throw refused }
    let target = try TargetURL(start)
    guard target.scheme != .file else { throw toFile }
    let afterScheme = start.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
    guard afterScheme.contains(where: { "/?".utf8.contains($0) }) else { throw refused }
    return target
  }

  package static let toFile = Failure(
    .permission,
    "a secret cannot be used in a 'file:' address, because only servers may receive secrets")

  private static let refused = Failure(
    .permission,
    "a secret is only allowed in the path and the query of an address, after the / that follows "
      + "the hostname")
}
