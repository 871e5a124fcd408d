/// The rule for secrets in an address: behind its hostname only, in the path or the query.
package enum SealedAddress {
  /// What stands before the first secret, read as an address: it decides where the request goes,
  /// whatever the secrets are.
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
    .permission, "a secret is never used for a file: address; only servers get secrets")

  private static let refused = Failure(
    .permission,
    "a secret can stand in the path and the query of an address only, behind the / that ends its "
      + "hostname")
}
