import FetchValues

/// Which names say that their value is a secret.
enum SecretNames {
  /// Headers, in requests and answers: rather one too many, since a case is for others to read.
  static func isSecret(header name: String) -> Bool {
    let name = name.asciiLowercased
    return headerParts.contains { name.contains($0) }
  }

  /// Options, and fields of a query or a form.
  static func isSecret(field name: String) -> Bool {
    let name = String(name.asciiLowercased.filter { $0 != "-" && $0 != "_" })
    return fieldNames.contains(name) || fieldParts.contains { name.contains($0) }
  }

  /// Members of JSON in a body, and fields of a form there, whose values are secrets wherever they
  /// stand. A body has data: fewer names than elsewhere, and not the cursors of pages, which are
  /// called tokens, too.
  static func isSecret(bodyField name: String) -> Bool {
    let name = String(name.asciiLowercased.filter { $0 != "-" && $0 != "_" })
    return bodyEnds.contains(where: name.hasSuffix) && !isCursor(name)
  }

  /// Fields of a form in a request, where what stands for a secret fits any text.
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

  /// No cursors, whatever stands before them.
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
