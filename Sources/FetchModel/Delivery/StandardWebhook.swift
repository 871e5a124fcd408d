package import FetchValues

/// The signature of Standard Webhooks 1.0.0 (https://www.standardwebhooks.com): HMAC-SHA256 over
/// `id.timestamp.body`, in base64 after the version `v1,`.
package enum StandardWebhook {
  private static let prefix = "whsec_"

  /// Returns the signing key from a secret. A secret that begins with `whsec_`, the form that
  /// services use, is decoded from base64. For any other secret, and for invalid or empty base64,
  /// the key is the bytes of the whole secret.
  package static func key(_ secret: SecretValue) -> [UInt8] {
    let text = secret.text
    if text.hasPrefix(prefix), let key = key(inBase64: text.dropFirst(prefix.count)),
      !key.isEmpty
    {
      return key
    }
    return Array(text.utf8)
  }

  private static func key(inBase64 text: Substring) -> [UInt8]? {
    Array(text.utf8).withUnsafeBytes { Base64.decode($0, strict: false) }
  }

  /// Returns the header fields for a body: the id, the time and the signature. Without a key, there
  /// is no signature.
  ///
  /// - Parameter now: the time of the attempt to deliver.
  package static func fields(
    id: String, at now: Timestamp, body: [UInt8], key: [UInt8]?
  ) -> [HTTPField] {
    let timestamp = "\(now.seconds)"
    var fields = [HTTPField("webhook-id", id), HTTPField("webhook-timestamp", timestamp)]
    if let key {
      let signed = Array("\(id).\(timestamp).".utf8) + body
      let code = HMAC.code(.sha256, for: signed, key: key)
      fields.append(HTTPField("webhook-signature", "v1," + Base64.text(Array(code))))
    }
    return fields
  }
}
