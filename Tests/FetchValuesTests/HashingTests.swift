import Testing

@testable import FetchValues

struct HashingTests {
  private func digits(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: bytes) }

  /// The expected values are the examples of NIST for FIPS 180-4, and the examples of RFC 1321.
  @Test func `digests of abc are those of the standards`() {
    let abc = Array("abc".utf8)
    #expect(
      digits(SHA256.hash(data: abc))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      digits(HashFunction.hash(.sha384, data: abc))
        == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
        + "8086072ba1e7cc2358baeca134c825a7")
    #expect(
      digits(HashFunction.hash(.sha512, data: abc))
        == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    #expect(
      digits(HashFunction.hash(.sha1, data: abc)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(digits(HashFunction.hash(.md5, data: abc)) == "900150983cd24fb0d6963f7d28e17f72")
    #expect(digits(HashFunction.hash(.md5, data: [])) == "d41d8cd98f00b204e9800998ecf8427e")
  }

  @Test func `input in parts gives the digest of the whole, at each point`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    var hash = HashFunction(.sha256)
    for part in stride(from: 0, to: 1000, by: 37) {
      #expect(hash.finalize() == SHA256.hash(data: Array(bytes[..<part])))
      hash.update(data: Array(bytes[part..<min(1000, part + 37)]))
    }
    #expect(hash.finalize() == SHA256.hash(data: bytes))
  }

  /// The expected codes are from RFC 4231, test cases 2 and 6, and from RFC 2202, test case 2.
  @Test func `codes are those of the standards, with short and long keys`() {
    let (key, text) = (Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
    #expect(
      digits(HMAC.code(.sha256, for: text, key: key))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      digits(HMAC.code(.sha512, for: text, key: key))
        == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")
    #expect(
      digits(HMAC.code(.sha1, for: text, key: key))
        == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
    let long = [UInt8](repeating: 0xAA, count: 131)
    #expect(
      digits(
        HMAC.code(
          .sha256, for: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
          key: long))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  /// The expected box is the one of RFC 8439, section 2.8.2.
  @Test func `a box is the one of the standard`() throws {
    let text = Array(
      ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future,"
        + " sunscreen would be it.").utf8)
    let nonce: [UInt8] = [7, 0, 0, 0, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47]
    let context: [UInt8] = [0x50, 0x51, 0x52, 0x53, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7]
    let key = (0x80...0x9F).map { UInt8($0) }
    let box = try #require(
      ChaChaPoly.seal(text, using: key, nonce: nonce, authenticating: context))
    #expect(digits(Array(box.suffix(16))) == "1ae10b594f09e26a7e902ecbd0600691")
    #expect(digits(Array(box.dropFirst(12).prefix(8))) == "d31a8d34648e60db")
    #expect(ChaChaPoly.open(box, using: key, authenticating: context) == text)
  }

  @Test func `a damaged box, another key and another context open nothing`() throws {
    let key = [UInt8](1...32)
    let box = try #require(
      ChaChaPoly.seal([1, 2, 3], using: key, nonce: Array(1...12), authenticating: [9]))
    #expect(ChaChaPoly.open(box, using: key, authenticating: [9]) == [1, 2, 3])
    #expect(ChaChaPoly.open(box, using: key, authenticating: [8]) == nil)
    #expect(ChaChaPoly.open(box, using: Array(2...33), authenticating: [9]) == nil)
    #expect(ChaChaPoly.open(box, using: [1], authenticating: [9]) == nil)
    #expect(ChaChaPoly.seal([1], using: [1], nonce: Array(1...12), authenticating: []) == nil)
    #expect(ChaChaPoly.seal([1], using: key, nonce: [1], authenticating: []) == nil)
    for index in box.indices {
      var damaged = box
      damaged[index] ^= 1
      #expect(ChaChaPoly.open(damaged, using: key, authenticating: [9]) == nil)
      #expect(ChaChaPoly.open(Array(box[..<index]), using: key, authenticating: [9]) == nil)
    }
  }

  @Test func `texts are compared by all of their bytes`() {
    #expect(ConstantTime.areEqual([], []))
    #expect(ConstantTime.areEqual([1, 2], [1, 2]))
    #expect(!ConstantTime.areEqual([1, 2], [1, 3]))
    #expect(!ConstantTime.areEqual([1, 2], [1, 2, 3]))
  }
}
