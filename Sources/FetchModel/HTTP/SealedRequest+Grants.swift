import FetchValues

extension SealedRequest {
  /// Where it goes, whatever the values of its secrets are; `plain` is its address where there are
  /// none in it.
  package func target(plain: String) throws(Failure) -> TargetURL {
    let target: TargetURL
    if let url { target = try SealedAddress.place(url) } else { target = try TargetURL(plain) }
    if target.scheme == .file { throw SealedAddress.toFile }
    return target
  }

  /// Why its secrets may not be sent to that address; nil when all of them may.
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
    Failure(.permission, "the job has no secret '\(name)'; give it one in its secrets")
  }
}
