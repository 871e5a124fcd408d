internal import NettleLibrary

/// The computation of a digest over bytes that arrive in parts. GNU Nettle does the computation.
package struct HashFunction: Sendable {
  /// The hash algorithms. SHA-1 and the functions of SHA-2 follow FIPS 180-4, and MD5 follows RFC
  /// 1321. SHA-1 and MD5 are broken: use them only for protocols that require them.
  package enum Algorithm: String, Sendable, CaseIterable {
    case md5, sha1, sha256, sha384, sha512

    fileprivate var functions: nettle_hash {
      switch self {
      case .md5: nettle_md5
      case .sha1: nettle_sha1
      case .sha256: nettle_sha256
      case .sha384: nettle_sha384
      case .sha512: nettle_sha512
      }
    }

    /// The size in bytes of the blocks in which the function reads its input, for `HMAC`.
    var blockBytes: Int { Int(functions.block_size) }
  }

  private let algorithm: Algorithm
  /// Nettle's state of the computation.
  private var context: [UInt8]

  package init(_ algorithm: Algorithm) {
    self.algorithm = algorithm
    let functions = algorithm.functions
    context = [UInt8](repeating: 0, count: Int(functions.context_size))
    context.withUnsafeMutableBytes { functions.`init`($0.baseAddress) }
  }

  /// Adds bytes to the input.
  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    context.withUnsafeMutableBytes {
      algorithm.functions.update($0.baseAddress, bytes.count, start)
    }
  }

  /// Adds bytes to the input.
  package mutating func update(data bytes: [UInt8]) {
    bytes.withUnsafeBytes { update(bufferPointer: $0) }
  }

  /// Returns the digest of the input so far.
  package func finalize() -> [UInt8] {
    var context = context
    let (functions, count) = (algorithm.functions, Int(algorithm.functions.digest_size))
    return [UInt8](unsafeUninitializedCapacity: count) { digest, written in
      context.withUnsafeMutableBytes {
        functions.digest($0.baseAddress, count, digest.baseAddress)
      }
      written = count
    }
  }

  /// Returns the digest of bytes.
  package static func hash(_ algorithm: Algorithm, data bytes: [UInt8]) -> [UInt8] {
    var function = HashFunction(algorithm)
    function.update(data: bytes)
    return function.finalize()
  }
}

/// The computation of SHA-256 over whole texts. It allocates memory only for the digest, because
/// runs compute a digest for each item.
package enum SHA256 {
  /// Returns the digest of bytes.
  package static func hash(data bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { hash(bufferPointer: $0) }
  }

  /// Returns the digest of bytes.
  package static func hash(bufferPointer bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var context = sha256_ctx()
    nettle_sha256_init(&context)
    nettle_sha256_update(
      &context, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    let count = Int(SHA256_DIGEST_SIZE)
    return [UInt8](unsafeUninitializedCapacity: count) { digest, written in
      nettle_sha256_digest(&context, count, digest.baseAddress)
      written = count
    }
  }
}
