/// A reader of the text of an HTML fragment. The reader skips the markup.
struct HTMLTagScanner {
  private let text: UnsafeRawBufferPointer
  private var cursor = 0
  /// Whether a search for the end of a tag has failed. Without this flag, each `<` would search the
  /// rest of the text again.
  private var hasNoMoreTags = false

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  /// Returns the offset of the next text byte; nil at the end. Calls `separator` for markup that
  /// separates words. A `<` that does not begin markup is text.
  mutating func nextTextByte(separator: () -> Void) -> Int? {
    while cursor < text.count {
      guard text[cursor] == UInt8(ascii: "<"), let end = markupEnd() else {
        cursor += 1
        return cursor - 1
      }
      if separates(cursor..<end) { separator() }
      cursor = end
    }
    return nil
  }

  /// Returns the end of the markup at the cursor; nil if no markup begins there. Also returns nil
  /// for a tag or declaration if its end, or the end of an earlier one, was not found.
  private mutating func markupEnd() -> Int? {
    guard cursor + 1 < text.count else { return nil }
    let next = text[cursor + 1]
    // `<!-->` and `<!--->` are whole comments (HTML standard, comment start state).
    if has("<!--", at: cursor) { return end(of: "-->", from: cursor + 2) ?? text.count }
    let isTag = isLetter(next) || next == UInt8(ascii: "/")
    let isDeclaration = next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
    guard isTag || isDeclaration, !hasNoMoreTags else { return nil }
    guard let tagEnd = tagEnd() else {
      hasNoMoreTags = true
      return nil
    }
    for (opening, closing) in [("<script", "</script"), ("<style", "</style")]
      as [(StaticString, StaticString)]
    where has(opening, at: cursor) && !isLetter(byte(at: cursor + opening.utf8CodeUnitCount)) {
      guard let close = end(of: closing, from: tagEnd) else { return text.count }
      return text[close...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? text.count
    }
    return tagEnd
  }

  /// Returns the place after the tag's `>`; nil if there is none. A quoted value of an attribute
  /// may contain `>`. If the quote is never closed, the tag ends at the first `>` after the quote.
  /// A declaration ends at its first `>`.
  private func tagEnd() -> Int? {
    let start = cursor + (byte(at: cursor + 1) == UInt8(ascii: "/") ? 2 : 1)
    guard isLetter(byte(at: start)) else { return firstEnd(from: cursor) }
    var tag = TagScanner()
    var quotePlace = start
    for index in start..<text.count {
      let wasQuoted = tag.isQuoted
      tag.take(text[index])
      if tag.isAtEnd { return index + 1 }
      if tag.isQuoted, !wasQuoted { quotePlace = index }
    }
    return tag.isQuoted ? firstEnd(from: quotePlace) : nil
  }

  /// Returns the place after the first `>` at or after `start`; nil if there is none.
  private func firstEnd(from start: Int) -> Int? {
    text[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
  }

  /// Whether the markup separates words. Comments, declarations and inline tags do not.
  private func separates(_ tag: Range<Int>) -> Bool {
    var rest = text[tag].dropFirst()
    if rest.first == UInt8(ascii: "/") { rest = rest.dropFirst() }
    let name = rest.prefix(while: isLetter).map { $0 | 0x20 }
    return !name.isEmpty && !Self.inlineNames.contains { $0.utf8.elementsEqual(name) }
  }

  private static let inlineNames = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s",
    "small", "span", "strong", "sub", "sup", "tt", "u", "wbr",
  ]

  private func byte(at index: Int) -> UInt8 { index < text.count ? text[index] : 0 }

  private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Whether the word is at `index`, regardless of case. `word` must be ASCII in lower case.
  private func has(_ word: StaticString, at index: Int) -> Bool {
    let count = word.utf8CodeUnitCount
    guard text.count - index >= count else { return false }
    return (0..<count).allSatisfy { offset in
      let byte = text[index + offset]
      let lowercased = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      return lowercased == word.utf8Start[offset]
    }
  }

  private func end(of word: StaticString, from start: Int) -> Int? {
    guard start < text.count else { return nil }
    for index in start..<text.count where has(word, at: index) {
      return index + word.utf8CodeUnitCount
    }
    return nil
  }
}
