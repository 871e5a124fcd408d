internal import NettleLibrary

/// The computation of a message authentication code with a hash function (RFC 2104).
package struct HMAC: Sendable {
  private var inner: HashFunction
  private var outer: HashFunction

  package init(_ algorithm: HashFunction.Algorithm, key: [UInt8]) {
    inner = HashFunction(algorithm)
    outer = inner
    let count = algorithm.blockBytes
    var block = key.count > count ? HashFunction.hash(algorithm, data: key) : key
    block += Array(repeating: 0, count: count - block.count)
    inner.update(data: block.map { $0 ^ 0x36 })
    outer.update(data: block.map { $0 ^ 0x5C })
  }

  /// Adds bytes to the message.
  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
    inner.update(bufferPointer: bytes)
  }

  /// Adds bytes to the message.
  package mutating func update(data bytes: [UInt8]) { inner.update(data: bytes) }

  /// Returns the code of the message so far.
  package func finalize() -> [UInt8] {
    var outer = outer
    outer.update(data: inner.finalize())
    return outer.finalize()
  }

  /// Returns the code of a whole message.
  package static func code(
    _ algorithm: HashFunction.Algorithm, for message: [UInt8], key: [UInt8]
  ) -> [UInt8] {
    var code = HMAC(algorithm, key: key)
    code.update(data: message)
    return code.finalize()
  }
}

/// The comparison of secrets in constant time.
package enum ConstantTime {
  /// Returns whether two texts are equal, in a time that depends only on their lengths.
  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && nettle_memeql_sec(left, right, left.count) != 0
  }
}
