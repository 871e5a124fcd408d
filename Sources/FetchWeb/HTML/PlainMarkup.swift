/// The conversion of a source's markup to readable text.
///
/// This is not a sanitiser: the page escapes the result like any other text. The conversion removes
/// tags, comments, and the content of `script` and `style`. It replaces six named entities and the
/// valid numeric entities of at most 12 bytes. The running time is linear in the length of the
/// text. If a text has `<` or `&`, only its first 200,000 bytes are converted, and the rest is
/// dropped.
package enum PlainMarkup {
  private static let bytesMax = 200_000

  /// Returns the text without tags. Tags of blocks become line breaks. White space within a line
  /// becomes single spaces, and several empty lines in a row become one. Empty lines at the
  /// beginning and the end are removed. A text without `<` and `&` is returned unchanged.
  package static func text(_ markup: String) -> String {
    guard markup.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return markup
    }
    var scanner = MarkupScanner(Array(markup.utf8.prefix(bytesMax)))
    scanner.run()
    // A CRLF is one character in Swift, which is not equal to a line feed.
    let lines = String(decoding: scanner.text, as: UTF8.self)
      .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { line in line.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    var text: [String] = []
    for line in lines where !(line.isEmpty && text.last?.isEmpty ?? true) { text.append(line) }
    while text.last?.isEmpty == true { text.removeLast() }
    return text.joined(separator: "\n")
  }
}

private struct MarkupScanner {
  private let bytes: [UInt8]
  private var place = 0
  private(set) var text: [UInt8] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    text.reserveCapacity(bytes.count)
  }

  private static let blocks: Set<String> = [
    "p", "div", "br", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6",
    "blockquote", "pre", "section", "article", "hr",
  ]

  mutating func run() {
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "<"): tag()
      case UInt8(ascii: "&"): entity()
      default:
        text.append(bytes[place])
        place += 1
      }
    }
  }

  /// Skips a tag, a comment, a declaration or a processing instruction. Also skips the content of
  /// `script` and `style`. The tag of a block becomes a line break. A `<` that begins no markup is
  /// text.
  private mutating func tag() {
    let isEnd = byte(1) == UInt8(ascii: "/")
    guard let first = byte(isEnd ? 2 : 1),
      first == UInt8(ascii: "!") || first == UInt8(ascii: "?") || Self.isLetter(first)
    else {
      text.append(UInt8(ascii: "<"))
      place += 1
      return
    }
    if byte(1) == UInt8(ascii: "!"), byte(2) == UInt8(ascii: "-"), byte(3) == UInt8(ascii: "-") {
      skip(past: "-->")
      return
    }
    var end = place + (isEnd ? 2 : 1)
    var name: [UInt8] = []
    while end < bytes.count, Self.isLetter(bytes[end]) || (0x30...0x39).contains(bytes[end]) {
      if name.count < 16 { name.append(bytes[end] | 0x20) }
      end += 1
    }
    while end < bytes.count, bytes[end] != UInt8(ascii: ">") { end += 1 }
    place = min(end + 1, bytes.count)
    let word = String(decoding: name, as: UTF8.self)
    if Self.blocks.contains(word) { text.append(UInt8(ascii: "\n")) }
    if !isEnd, word == "script" { skip(past: "</script>") }
    if !isEnd, word == "style" { skip(past: "</style>") }
  }

  /// Skips everything up to and including the next `end`, in upper or lower case. If there is none,
  /// skips the rest of the text.
  private mutating func skip(past end: StaticString) {
    end.withUTF8Buffer { wanted in
      while place < bytes.count {
        if bytes.count - place >= wanted.count,
          wanted.indices.allSatisfy({ Self.lower(bytes[place + $0]) == wanted[$0] })
        {
          place += wanted.count
          return
        }
        place += 1
      }
    }
  }

  private mutating func entity() {
    let limit = min(bytes.count, place + 12)
    guard let end = bytes[place..<limit].firstIndex(of: UInt8(ascii: ";")) else {
      text.append(UInt8(ascii: "&"))
      place += 1
      return
    }
    let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
    guard let character = Self.character(name) else {
      text.append(UInt8(ascii: "&"))
      place += 1
      return
    }
    text.append(contentsOf: String(character).utf8)
    place = end + 1
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return " "
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let number =
      digits.hasPrefix("x") || digits.hasPrefix("X")
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
  }

  private func byte(_ offset: Int) -> UInt8? {
    place + offset < bytes.count ? bytes[place + offset] : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func lower(_ byte: UInt8) -> UInt8 { isLetter(byte) ? byte | 0x20 : byte }
}
