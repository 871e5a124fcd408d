internal import NettleLibrary

/// Authenticated encryption with ChaCha20-Poly1305 (RFC 8439).
///
/// A box is a nonce of 12 bytes, the encrypted text and a tag of 16 bytes.
package enum ChaChaPoly {
  package static let keyBytes = Int(CHACHA_POLY1305_KEY_SIZE)
  package static let nonceBytes = Int(CHACHA_POLY1305_NONCE_SIZE)
  private static let tagBytes = Int(CHACHA_POLY1305_DIGEST_SIZE)

  /// Returns a box; nil if the key does not have 32 bytes, or if the nonce does not have 12 bytes.
  ///
  /// - Parameter nonce: new random bytes for each box. Two boxes with the same key and the same
  ///   nonce can reveal both texts.
  package static func seal(
    _ text: [UInt8], using key: [UInt8], nonce: [UInt8], authenticating context: [UInt8]
  ) -> [UInt8]? {
    guard var cipher = Cipher(key, nonce, context) else { return nil }
    let encrypted = cipher.encrypted(text)
    return nonce + encrypted + cipher.tag()
  }

  /// Returns the text of a box; nil if the key or the context is wrong, or the box is damaged.
  package static func open(
    _ box: [UInt8], using key: [UInt8], authenticating context: [UInt8]
  ) -> [UInt8]? {
    guard box.count >= nonceBytes + tagBytes,
      var cipher = Cipher(key, Array(box.prefix(nonceBytes)), context)
    else { return nil }
    let text = cipher.decrypted(Array(box.dropFirst(nonceBytes).dropLast(tagBytes)))
    return ConstantTime.areEqual(cipher.tag(), Array(box.suffix(tagBytes))) ? text : nil
  }

  private struct Cipher {
    var context = chacha_poly1305_ctx()

    init?(_ key: [UInt8], _ nonce: [UInt8], _ data: [UInt8]) {
      guard key.count == keyBytes, nonce.count == nonceBytes else { return nil }
      nettle_chacha_poly1305_set_key(&context, key)
      nettle_chacha_poly1305_set_nonce(&context, nonce)
      nettle_chacha_poly1305_update(&context, data.count, data)
    }

    mutating func encrypted(_ text: [UInt8]) -> [UInt8] {
      var target = text
      nettle_chacha_poly1305_encrypt(&context, text.count, &target, text)
      return target
    }

    mutating func decrypted(_ text: [UInt8]) -> [UInt8] {
      var target = text
      nettle_chacha_poly1305_decrypt(&context, text.count, &target, text)
      return target
    }

    mutating func tag() -> [UInt8] {
      var tag = [UInt8](repeating: 0, count: tagBytes)
      nettle_chacha_poly1305_digest(&context, tagBytes, &tag)
      return tag
    }
  }
}
