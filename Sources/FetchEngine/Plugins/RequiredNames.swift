/// The names that a Lua text requires, with `require "rss"` or `require('rss')`. `require [[rss]]`
/// is not recognised. The text is searched, but not run. A name in a comment therefore also counts,
/// and one more file than needed is read.
package enum RequiredNames {
  package static func of(_ source: [UInt8]) -> [String] {
    let word = Array("require".utf8)
    var names: [String] = []
    var index = 0
    while index + word.count < source.count {
      guard source[index] == word[0], source[index..<index + word.count].elementsEqual(word) else {
        index += 1
        continue
      }
      index += word.count
      if let name = quoted(in: source, at: index), !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Returns the quoted name at an index, after blanks and an opening parenthesis. Returns nil for
  /// names that could leave a folder.
  private static func quoted(in source: [UInt8], at start: Int) -> String? {
    var index = start
    while index < source.count, source[index] == 0x20 || source[index] == UInt8(ascii: "(") {
      index += 1
    }
    guard index < source.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(source[index])
    else { return nil }
    let quote = source[index]
    let rest = source[(index + 1)...].prefix(64)
    guard let end = rest.firstIndex(of: quote), end > index + 1 else { return nil }
    let name = rest[..<end]
    guard name.allSatisfy(isNameByte), name.first != UInt8(ascii: ".") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
