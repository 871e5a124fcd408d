import FetchSandbox
import FetchValues
import Testing

struct HashLibraryTests {
  static let digests: [(name: String, text: Value, digest: Value)] = [
    ("hash.md5", "", "d41d8cd98f00b204e9800998ecf8427e"),
    ("hash.sha1", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("hash.sha256", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ]

  @Test(arguments: digests) func `digests match the standards`(
    name: String, text: Value, digest: Value
  ) throws {
    #expect(try call(name, text) == digest)
  }

  @Test func `HMAC matches RFC 2202 and RFC 4231`() throws {
    #expect(
      try call("hash.hmac", "md5", "Jefe", "what do ya want for nothing?")
        == "750c783e6ab0b503eaa86e310a5db738")
    #expect(
      try call("hash.hmac", "sha256", "Jefe", "what do ya want for nothing?")
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(try call("hash.hmac", "sha1", "", "", ["raw": true]).kindName == "binary string")
    #expect(
      try failure("hash.hmac", "crc", "", "")
        == .misuse(
          "bad argument #1 to 'hash.hmac' (sha256, sha512, sha1 or md5 expected, got 'crc')"))
  }

  static let encodings: [(plain: Value, text: Value)] = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"),
    (.bytes([0xFB, 0xFF]), "+/8="),
  ]

  @Test(arguments: encodings) func `base64 matches RFC 4648`(plain: Value, text: Value) throws {
    #expect(try call("base64.encode", plain) == text)
    #expect(try call("base64.decode", text) == plain)
    #expect(try call("base64.decode", text, ["strict": true]) == plain)
  }

  @Test func `the base64 form for URLs is decoded and encoded`() throws {
    #expect(try call("base64.encode", .bytes([0xFB, 0xFF]), ["url": true]) == "-_8")
    #expect(
      try call("base64.encode", .bytes([0xFB, 0xFF]), ["url": true, "padding": true]) == "-_8=")
    #expect(try call("base64.decode", "-_8") == .bytes([0xFB, 0xFF]))
    #expect(try call("base64.decode", " Zm9v\r\n YmFy ") == "foobar")
    for text in ["Z", "Zg=", "Zg=a", "Zm9v*", "===="] {
      #expect(throws: LibraryError.refused("the text is not valid base64")) {
        try call("base64.decode", .string(text))
      }
    }
    for text in ["Zg", "Zh==", " Zg=="] {
      #expect(throws: LibraryError.self) {
        try call("base64.decode", .string(text), ["strict": true])
      }
    }
  }
}
