internal import NettleLibrary

/// A cryptographic hash function over bytes that arrive in parts. GNU Nettle computes it.
package protocol HashFunction: Sendable {
  /// The size of the blocks in which the function reads its input, for `HMAC`.
  static var blockBytes: Int { get }

  init()

  /// Adds bytes to the input.
  mutating func update(bufferPointer: UnsafeRawBufferPointer)

  /// Returns the digest of the input so far.
  func finalize() -> [UInt8]
}

extension HashFunction {
  /// Adds bytes to the input.
  package mutating func update(data bytes: [UInt8]) {
    bytes.withUnsafeBytes { update(bufferPointer: $0) }
  }

  /// Returns the digest of bytes.
  package static func hash(data bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { hash(bufferPointer: $0) }
  }

  /// Returns the digest of bytes.
  package static func hash(bufferPointer bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var function = Self()
    function.update(bufferPointer: bytes)
    return function.finalize()
  }
}

/// SHA-256 (FIPS 180-4).
package struct SHA256: HashFunction {
  package static let blockBytes = 64
  private var context = sha256_ctx()

  package init() { nettle_sha256_init(&context) }

  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
    nettle_sha256_update(&context, bytes.count, bytes.octets)
  }

  package func finalize() -> [UInt8] {
    var context = context
    return digest(Int(SHA256_DIGEST_SIZE)) { nettle_sha256_digest(&context, $0, $1) }
  }
}

/// SHA-384 (FIPS 180-4).
package struct SHA384: HashFunction {
  package static let blockBytes = 128
  private var context = sha512_ctx()

  package init() { nettle_sha384_init(&context) }

  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
    nettle_sha512_update(&context, bytes.count, bytes.octets)
  }

  package func finalize() -> [UInt8] {
    var context = context
    return digest(Int(SHA384_DIGEST_SIZE)) { nettle_sha384_digest(&context, $0, $1) }
  }
}

/// SHA-512 (FIPS 180-4).
package struct SHA512: HashFunction {
  package static let blockBytes = 128
  private var context = sha512_ctx()

  package init() { nettle_sha512_init(&context) }

  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
    nettle_sha512_update(&context, bytes.count, bytes.octets)
  }

  package func finalize() -> [UInt8] {
    var context = context
    return digest(Int(SHA512_DIGEST_SIZE)) { nettle_sha512_digest(&context, $0, $1) }
  }
}

/// Hash functions that are broken. They serve only protocols that require them.
package enum Insecure {
  /// SHA-1 (FIPS 180-4).
  package struct SHA1: HashFunction {
    package static let blockBytes = 64
    private var context = sha1_ctx()

    package init() { nettle_sha1_init(&context) }

    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      nettle_sha1_update(&context, bytes.count, bytes.octets)
    }

    package func finalize() -> [UInt8] {
      var context = context
      return digest(Int(SHA1_DIGEST_SIZE)) { nettle_sha1_digest(&context, $0, $1) }
    }
  }

  /// MD5 (RFC 1321).
  package struct MD5: HashFunction {
    package static let blockBytes = 64
    private var context = md5_ctx()

    package init() { nettle_md5_init(&context) }

    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      nettle_md5_update(&context, bytes.count, bytes.octets)
    }

    package func finalize() -> [UInt8] {
      var context = context
      return digest(Int(MD5_DIGEST_SIZE)) { nettle_md5_digest(&context, $0, $1) }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes as C functions take them; nil if there are none.
  var octets: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

private func digest(
  _ count: Int, by write: (Int, UnsafeMutablePointer<UInt8>?) -> Void
) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
    write(count, buffer.baseAddress)
    written = count
  }
}
