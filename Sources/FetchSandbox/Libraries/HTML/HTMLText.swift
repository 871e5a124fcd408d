/// A reader of the text in HTML. It reads the bytes without building a tree, drops tags and
/// resolves references. Any bytes are accepted.
struct HTMLText {
  private let input: UnsafeRawBufferPointer
  private var output: [UInt8] = []
  private var index = 0
  /// Whether a quote was never closed. Later quotes are then ignored, because searching for the end
  /// of each quote would take quadratic time.
  private var hasOpenQuote = false
  private var hasNoTagEnd = false
  private var hasNoHeadEnd = false
  /// The byte that is written at the border of a block.
  private let blockBreak: UInt8

  /// Returns the text of HTML for a title: without tags, with references resolved, and with a space
  /// at the border of a block. Returns nil if tags or references occur and no text is left.
  static func inline(_ html: String) -> String? {
    var html = html
    let hasMarkup = html.withUTF8 { $0.contains { $0 == 0x3C || $0 == 0x26 } }
    return hasMarkup ? text(html, blockBreak: 0x20) : html
  }

  /// Returns the text with references resolved and tags kept.
  static func unescaped(_ html: String) -> String {
    guard html.utf8.contains(0x26) else { return html }
    var html = html
    return html.withUTF8 { bytes in
      var reader = HTMLText(UnsafeRawBufferPointer(bytes), blockBreak: 0x20)
      while reader.index < bytes.count {
        if bytes[reader.index] == 0x26 {
          reader.reference()
        } else {
          reader.output.append(bytes[reader.index])
          reader.index += 1
        }
      }
      return String(decoding: reader.output, as: UTF8.self)
    }
  }

  private static func text(_ html: String, blockBreak: UInt8) -> String? {
    var html = html
    return html.withUTF8 { bytes in
      var reader = HTMLText(UnsafeRawBufferPointer(bytes), blockBreak: blockBreak)
      reader.run()
      return FeedText.string(reader.output[...])
    }
  }

  private init(_ input: UnsafeRawBufferPointer, blockBreak: UInt8) {
    self.input = input
    self.blockBreak = blockBreak
    output.reserveCapacity(input.count)
  }

  private mutating func run() {
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "<"): tag()
      case UInt8(ascii: "&"): reference()
      default:
        output.append(input[index])
        index += 1
      }
    }
  }

  private mutating func reference() {
    let start = index + 1
    if start < input.count, input[start] == UInt8(ascii: "#"),
      let (scalar, after) = CharacterReference.numeric(input, from: start + 1, to: input.count)
    {
      output += String(scalar).utf8
      index = after
      return
    }
    var end = start
    while end < input.count, end - start < 32,
      ASCII.isLetter(input[end]) || ASCII.isDigit(input[end])
    {
      end += 1
    }
    if end < input.count, input[end] == UInt8(ascii: ";"),
      let scalar = CharacterReference.named(Array(input[start..<end]))
    {
      output += String(scalar).utf8
      index = end + 1
    } else {
      output.append(UInt8(ascii: "&"))
      index = start
    }
  }

  /// Skips the markup at `index`, with the content of a script, a style or a closed head. A tag
  /// such as `<p>` separates the texts around it by a break. A `<` is treated as text unless a
  /// letter, `/`, `!` or `?` follows and the markup has an end.
  private mutating func tag() {
    let next = index + 1 < input.count ? input[index + 1] : 0
    guard
      ASCII.isLetter(next) || next == UInt8(ascii: "/") || next == UInt8(ascii: "!")
        || next == UInt8(ascii: "?"), let end = tagEnd()
    else {
      output.append(UInt8(ascii: "<"))
      index += 1
      return
    }
    let nameStart = index + (next == UInt8(ascii: "/") ? 2 : 1)
    let name = input[nameStart..<end].prefix { ASCII.isLetter($0) || ASCII.isDigit($0) }
      .map(ASCII.lowered)
    index = end
    let word = String(decoding: name, as: UTF8.self)
    if next != UInt8(ascii: "/"), word == "script" || word == "style" || word == "head" {
      skipRaw(word)
    }
    if blockBreak == Self.blockMark { return markBlock(word, isEnd: next == UInt8(ascii: "/")) }
    if Self.blockNames.contains(word), let last = output.last, last != blockBreak {
      output.append(blockBreak)
    }
  }

  /// The control character that marks the border of a block. `lineMark` marks a line break.
  /// `ReadableText` converts both to line breaks.
  static let blockMark: UInt8 = 0x1D
  static let lineMark: UInt8 = 0x1E

  static func blocks(_ html: UnsafeRawBufferPointer) -> [UInt8] {
    var reader = HTMLText(html, blockBreak: blockMark)
    reader.run()
    return reader.output
  }

  private mutating func markBlock(_ name: String, isEnd: Bool) {
    switch name {
    case "br", "li", "tr", "dt", "dd", "option":
      output.append(Self.lineMark)
      if name == "li", !isEnd { output += "- ".utf8 }
    case "td", "th": output.append(0x20)
    default: if Self.blockNames.contains(name) { output.append(Self.blockMark) }
    }
  }

  private mutating func skipRaw(_ word: String) {
    switch word {
    case "script":
      index = ASCII.find("</script", in: input, from: index, caseless: true) ?? input.count
    case "style":
      index = ASCII.find("</style", in: input, from: index, caseless: true) ?? input.count
    default:
      // After a failed search for the end of a head, no further head is searched for its end.
      // Repeated searches would take quadratic time.
      guard !hasNoHeadEnd else { return }
      let end = ASCII.find("</head", in: input, from: index, caseless: true)
      hasNoHeadEnd = end == nil
      index = end ?? index
    }
  }

  /// Returns the place after the tag or comment. The result is nil if the tag has no end, or if
  /// another `<` outside quotes comes before the end. After an unclosed quote, the next `>` ends a
  /// tag. A comment without an end reaches to the end of the input.
  private mutating func tagEnd() -> Int? {
    if ASCII.matches("<!--", in: input, at: index) {
      return ASCII.find("-->", in: input, from: index + 4).map { $0 + 3 }
        ?? input.count
    }
    // No later tag has an end either. Looking for it again would take quadratic time.
    guard !hasNoTagEnd else { return nil }
    if hasOpenQuote { return plainTagEnd() }
    var quote: UInt8 = 0
    var position = index + 1
    while position < input.count {
      let byte = input[position]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == 0x3E {
        return position + 1
      } else if byte == 0x3C {
        return nil
      } else if byte == 0x22 || byte == 0x27, input[position - 1] == UInt8(ascii: "=") {
        quote = byte
      }
      position += 1
    }
    hasOpenQuote = quote != 0
    return plainTagEnd()
  }

  private mutating func plainTagEnd() -> Int? {
    guard !hasNoTagEnd else { return nil }
    if let end = ASCII.find(">", in: input, from: index) { return end + 1 }
    hasNoTagEnd = true
    return nil
  }

  static let blockNames: Set<String> = [
    "p", "div", "br", "hr", "li", "ul", "ol", "dl", "dt", "dd", "table", "tr", "td", "th", "h1",
    "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "section", "article", "header", "footer",
    "figure", "figcaption", "main", "nav", "aside", "form", "tbody", "thead", "iframe", "title",
  ]
}

/// The conversion of HTML to readable text. Blocks are separated by empty lines, white space is
/// collapsed, and list items are marked. Scripts, styles and closed heads are left out.
enum ReadableText {
  static func text(_ html: UnsafeRawBufferPointer) -> [UInt8] {
    collapsed(HTMLText.blocks(html))
  }

  /// Replaces the marks of borders by line breaks, and each run of blanks by one blank. Trims
  /// lines, and keeps at most one empty line in a row.
  private static func collapsed(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var hasBlank = false
    var breaks = 0
    for byte in text {
      if byte == HTMLText.blockMark || byte == HTMLText.lineMark {
        breaks = max(breaks, byte == HTMLText.blockMark ? 2 : min(breaks + 1, 2))
        hasBlank = false
      } else if ASCII.isBlank(byte) {
        hasBlank = true
      } else {
        if !output.isEmpty {
          if breaks > 0 {
            output.append(contentsOf: repeatElement(0x0A, count: breaks))
          } else if hasBlank {
            output.append(0x20)
          }
        }
        (hasBlank, breaks) = (false, 0)
        output.append(byte)
      }
    }
    return output
  }
}
