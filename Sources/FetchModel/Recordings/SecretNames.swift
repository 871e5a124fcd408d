import FetchValues

/// The rules that decide by the name of a header, an option or a field whether its value is secret.
enum SecretNames {
  /// Whether a header of a request or an answer is secret. In doubt, the header counts as secret,
  /// because other people may read a recorded case.
  static func isSecret(header name: String) -> Bool {
    let name = name.asciiLowercased
    return headerParts.contains { name.contains($0) }
  }

  /// Whether the value of an option, or of a field in a query or a form, is secret.
  static func isSecret(field name: String) -> Bool {
    let name = String(name.asciiLowercased.filter { $0 != "-" && $0 != "_" })
    return fieldNames.contains(name) || fieldParts.contains { name.contains($0) }
      || bodyEnds.contains(where: name.hasSuffix)
  }

  /// Whether the name of a JSON member or form field in a body means that its value is secret.
  /// Bodies contain data, so short names such as `key` and `code` do not count as secret, unlike in
  /// `isSecret(field:)`. A name that ends in `token` does not count if it seems to be the name of a
  /// page cursor.
  static func isSecret(bodyField name: String) -> Bool {
    let name = String(name.asciiLowercased.filter { $0 != "-" && $0 != "_" })
    return bodyEnds.contains(where: name.hasSuffix) && !isCursor(name)
  }

  /// Whether the value of a form field in a request is secret. Short names such as `key` and `code`
  /// count as secret, unlike in `isSecret(bodyField:)`. A replay still works, because a placeholder
  /// in a request matches any text.
  static func isSecret(formField name: String) -> Bool {
    isSecret(field: name)
      && !isCursor(String(name.asciiLowercased.filter { $0 != "-" && $0 != "_" }))
  }

  private static func isCursor(_ name: String) -> Bool {
    name.hasSuffix("token") && !tokenEnds.contains(where: name.hasSuffix)
      && cursorParts.contains { name.contains($0) }
  }

  private static let bodyEnds = [
    "token", "secret", "password", "passwd", "passphrase", "pwd", "apikey", "secretkey",
    "privatekey", "accesskey", "authkey", "sessionkey", "signingkey", "sessionid", "credential",
    "credentials", "jwt",
  ]

  /// The endings of names that mean a secret token, even if another part of the name suggests a
  /// page cursor.
  private static let tokenEnds = [
    "accesstoken", "refreshtoken", "idtoken", "authtoken", "sessiontoken", "apitoken",
    "bearertoken", "securitytoken", "csrftoken", "xsrftoken",
  ]

  private static let cursorParts = [
    "page", "pagin", "next", "previous", "prevtoken", "cursor", "continu", "resum", "sync", "delta",
    "start", "scroll", "iterat", "marker", "offset", "skip",
  ]

  private static let headerParts = [
    "auth", "cookie", "token", "secret", "key", "passw", "credential", "session", "signature",
    "csrf", "xsrf", "jwt",
  ]

  private static let fieldNames: Set = [
    "key", "sig", "auth", "code", "pwd", "sid", "session", "jwt", "hmac",
  ]

  private static let fieldParts = [
    "apikey", "accesskey", "secretkey", "privatekey", "authkey", "token", "secret", "passw",
    "credential", "signature", "sessionid", "clientsecret",
  ]
}
