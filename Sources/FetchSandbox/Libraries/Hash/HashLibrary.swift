import FetchValues

/// The pure functions of `require "hash"`. Each function returns lower-case hexadecimal digits, or
/// the bytes themselves with `{raw = true}`.
package enum HashLibrary {
  package static let functions: [LibraryFunction] = [
    digest("hash.sha256", SHA256.self), digest("hash.sha512", SHA512.self),
    digest("hash.sha1", Insecure.SHA1.self), digest("hash.md5", Insecure.MD5.self), hmac,
  ]

  private static func digest<Function: HashFunction>(
    _ name: String, _: Function.Type
  ) -> LibraryFunction {
    LibraryFunction(name) { arguments, _, writer throws(LibraryError) in
      let text = try arguments.bytes()
      let options = try LibraryOptions(arguments.value(), function: name, known: ["raw"])
      var function = Function()
      function.update(bufferPointer: text)
      try write(function.finalize(), options, &writer)
      return 1
    }
  }

  /// `hash.hmac(algorithm, key, text [, {raw = true}])`: returns the HMAC of the text (RFC 2104).
  private static let hmac = LibraryFunction("hash.hmac") {
    arguments, _, writer throws(LibraryError) in
    let algorithm = try arguments.string()
    let key = Array(try arguments.bytes())
    let text = try arguments.bytes()
    let options = try LibraryOptions(arguments.value(), function: "hash.hmac", known: ["raw"])
    switch algorithm {
    case "sha256": try write(code(SHA256.self, key, text), options, &writer)
    case "sha512": try write(code(SHA512.self, key, text), options, &writer)
    case "sha1": try write(code(Insecure.SHA1.self, key, text), options, &writer)
    case "md5": try write(code(Insecure.MD5.self, key, text), options, &writer)
    default:
      throw .misuse(
        "bad argument #1 to 'hash.hmac' (sha256, sha512, sha1 or md5 expected,"
          + " got '\(algorithm.prefix(40))')")
    }
    return 1
  }

  private static func code<Function: HashFunction>(
    _: Function.Type, _ key: [UInt8], _ text: UnsafeRawBufferPointer
  ) -> [UInt8] {
    var code = HMAC<Function>(key: key)
    code.update(bufferPointer: text)
    return code.finalize()
  }

  private static func write(
    _ digest: [UInt8], _ options: LibraryOptions, _ writer: inout ValueWriter
  ) throws(LibraryError) {
    if try options.bool("raw") {
      writer.write(bytes: digest)
    } else {
      writer.write(bytes: digest.flatMap { [hexDigits[Int($0 >> 4)], hexDigits[Int($0 & 15)]] })
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}
