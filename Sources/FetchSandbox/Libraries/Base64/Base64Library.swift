import FetchValues

/// The pure functions of `require "base64"`.
package enum Base64Library {
  package static let functions: [LibraryFunction] = [encode, decode]

  /// `base64.encode(bytes [, {url = true, padding = false}]) -> text`: returns the bytes in Base64.
  /// The URL form has no padding by default.
  private static let encode = LibraryFunction("base64.encode") {
    arguments, _, writer throws(LibraryError) in
    let bytes = try arguments.bytes()
    let options = try LibraryOptions(
      arguments.value(), function: "base64.encode", known: ["url", "padding"])
    let isURL = try options.bool("url")
    let padded = try options["padding"] == nil ? !isURL : options.bool("padding")
    writer.write(bytes: Base64.encode(bytes, isURL ? .url : .standard, padded: padded))
    return 1
  }

  /// `base64.decode(text [, {strict = true}]) -> bytes`, or `nil, message`. The function accepts
  /// both alphabets. It also accepts white space and missing padding, unless `strict` is set.
  private static let decode = LibraryFunction("base64.decode") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.bytes()
    let options = try LibraryOptions(
      arguments.value(), function: "base64.decode", known: ["strict"])
    guard let bytes = Base64.decode(text, strict: try options.bool("strict")) else {
      throw .refused("the text is not valid base64")
    }
    writer.write(bytes: bytes)
    return 1
  }
}
