/// The parser that returns the attributes of one tag, by their lower-case names. Of several
/// attributes with equal names, the first one is used.
enum TagAttributes {
  static func read(_ text: UnsafeRawBufferPointer) -> [String: String] {
    var attributes: [String: String] = [:]
    var index = 0
    while index < text.count {
      index = skip(text, from: index) { ASCII.isBlank($0) || $0 == UInt8(ascii: "/") }
      let nameEnd = skip(text, from: index) {
        !ASCII.isBlank($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/")
      }
      let name = String(decoding: text[index..<nameEnd].map(ASCII.lowered), as: UTF8.self)
      index = ASCII.skipBlanks(text, from: nameEnd)
      var value = ""
      if index < text.count, text[index] == UInt8(ascii: "=") {
        index = ASCII.skipBlanks(text, from: index + 1)
        value = self.value(text, at: &index)
      }
      if !name.isEmpty, attributes[name] == nil { attributes[name] = value }
    }
    return attributes
  }

  private static func value(_ text: UnsafeRawBufferPointer, at index: inout Int) -> String {
    guard index < text.count else { return "" }
    let quote = text[index]
    let isQuoted = quote == 0x22 || quote == 0x27
    let start = isQuoted ? index + 1 : index
    let end = skip(text, from: start) { isQuoted ? $0 != quote : !ASCII.isBlank($0) }
    index = min(isQuoted ? end + 1 : end, text.count)
    return HTMLText.unescaped(String(decoding: text[start..<end], as: UTF8.self))
  }

  private static func skip(
    _ text: UnsafeRawBufferPointer, from start: Int, while wanted: (UInt8) -> Bool
  ) -> Int {
    var index = start
    while index < text.count, wanted(text[index]) { index += 1 }
    return index
  }
}
