import FetchValues

/// The pure functions of `require "hash"`. Each function returns its result as lower-case
/// hexadecimal digits, or as bytes with `{raw = true}`.
package enum HashLibrary {
  package static let functions: [LibraryFunction] =
    algorithms.map { digest("hash.\($0.rawValue)", $0) } + [hmac]

  private static let algorithms: [HashFunction.Algorithm] = [.sha256, .sha512, .sha1, .md5]

  private static func digest(
    _ name: String, _ algorithm: HashFunction.Algorithm
  ) -> LibraryFunction {
    LibraryFunction(name) { arguments, _, writer throws(LibraryError) in
      let text = try arguments.bytes()
      let options = try LibraryOptions(arguments.value(), function: name, known: ["raw"])
      var function = HashFunction(algorithm)
      function.update(bufferPointer: text)
      try write(function.finalize(), options, &writer)
      return 1
    }
  }

  /// `hash.hmac(algorithm, key, text [, {raw = true}])`: returns the HMAC of the text (RFC 2104).
  private static let hmac = LibraryFunction("hash.hmac") {
    arguments, _, writer throws(LibraryError) in
    let name = try arguments.string()
    let key = Array(try arguments.bytes())
    let text = try arguments.bytes()
    let options = try LibraryOptions(arguments.value(), function: "hash.hmac", known: ["raw"])
    guard let algorithm = algorithms.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
      throw .misuse(
        "bad argument #1 to 'hash.hmac' (sha256, sha512, sha1 or md5 expected,"
          + " got '\(name.prefix(40))')")
    }
    var code = HMAC(algorithm, key: key)
    code.update(bufferPointer: text)
    try write(code.finalize(), options, &writer)
    return 1
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
