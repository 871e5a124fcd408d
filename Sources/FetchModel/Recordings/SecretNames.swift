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
