import FetchValues

/// The names that mark their value as a secret.
enum SecretNames {
  /// Whether a header is secret, in requests and answers. It errs on the safe side, because others
  /// read a case.
  static func isSecret(header name: String) -> Bool {
    let name = name.asciiLowercased
    return headerParts.contains { name.contains($0) }
  }

  /// Whether an option, or a field of a query or a form, is secret.
  static func isSecret(field name: String) -> Bool {
    let name = String(name.asciiLowercased.filter { $0 != "-" && $0 != "_" })
    return fieldNames.contains(name) || fieldParts.contains { name.contains($0) }
  }

  /// Whether a JSON member or a form field of a body is secret wherever its value occurs. Bodies
  /// contain data, so fewer names count than elsewhere, and page cursors, which are also called
  /// tokens, do not.
  static func isSecret(bodyField name: String) -> Bool {
    let name = String(name.asciiLowercased.filter { $0 != "-" && $0 != "_" })
    return bodyEnds.contains(where: name.hasSuffix) && !isCursor(name)
  }

  /// Whether a form field of a request is secret; its placeholder matches any text.
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

  /// The ends of secret token names. Cursors never count, whatever their prefix.
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
