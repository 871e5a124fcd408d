import Crypto
package import FetchValues

/// The signature of Standard Webhooks 1.0.0 (https://www.standardwebhooks.com): HMAC-SHA256 over
/// `id.timestamp.body`, in base64 after its version.
package enum StandardWebhook {
  private static let prefix = "whsec_"

  /// Returns the key of `whsec_` and base64, the form that services use; of any other text, its
  /// bytes.
  package static func key(_ secret: SecretValue) -> [UInt8] {
    let text = secret.text
    if text.hasPrefix(prefix), let key = key(inBase64: text.dropFirst(prefix.count)) {
      return key
    }
    return Array(text.utf8)
  }

  private static func key(inBase64 text: Substring) -> [UInt8]? {
    Array(text.utf8).withUnsafeBytes { Base64.decode($0, strict: false) }
  }

  /// Returns the header fields of a body: the same id at every attempt, and this attempt's time.
  package static func fields(
    id: String, at now: Timestamp, body: [UInt8], key: [UInt8]?
  ) -> [HTTPField] {
    let timestamp = "\(now.seconds)"
    var fields = [HTTPField("webhook-id", id), HTTPField("webhook-timestamp", timestamp)]
    if let key {
      let signed = Array("\(id).\(timestamp).".utf8) + body
      let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key))
      fields.append(HTTPField("webhook-signature", "v1," + Base64.text(Array(code))))
    }
    return fields
  }
}
