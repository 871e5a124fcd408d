/// Which encoding a document is in, by what is known before it is parsed.
///
/// The order is that of RFC 7303 section 3 and the HTML standard: a byte order mark, then the
/// header's `charset`, then what the document declares. Three things that servers do are put before
/// it: bytes that are valid UTF-8 beyond ASCII are UTF-8 whatever was said, bytes that are not are
/// what the document declares where only the header says UTF-8, and `us-ascii` or `text/xml`
/// without a charset mean nothing.
enum EncodingSniffer {
  /// How far into the document a declaration is looked for.
  static let declarationBytesMax = 1024

  struct Finding {
    var encoding: CharacterEncoding
    /// Bytes of the byte order mark, which is not part of the text.
    var markBytes = 0
  }

  /// The document as UTF-8, without byte order mark; nil where it is UTF-8 already and begins at
  /// `start`.
  static func convert(
    _ bytes: UnsafeRawBufferPointer, contentType: String?, isHTML: Bool = false
  ) -> (start: Int, converted: [UInt8]?) {
    let finding = find(bytes, contentType: contentType, isHTML: isHTML)
    let rest = UnsafeRawBufferPointer(rebasing: bytes[finding.markBytes...])
    if finding.encoding == .utf8 {
      return UTF8Repair.isValid(rest)
        ? (finding.markBytes, nil) : (0, decodedInvalid(rest, marked: finding.markBytes > 0))
    }
    return (0, CharsetDecoder.utf8(rest, from: finding.encoding) ?? UTF8Repair.repaired(rest))
  }

  static func find(
    _ bytes: UnsafeRawBufferPointer, contentType: String?, isHTML: Bool
  ) -> Finding {
    if let marked = byteOrderMark(bytes) { return marked }
    if let wide = wideUnits(bytes) { return Finding(encoding: wide) }
    let declared = isHTML ? metaLabel(bytes) : declarationLabel(bytes)
    let header = headerLabel(contentType)
    let said = header ?? declared
    guard let said, said != .utf8 else {
      // A server that says UTF-8 of all it has: where the bytes are none, the document knows better.
      if header != nil, case .other? = declared, let declared, !UTF8Repair.isValid(bytes) {
        return Finding(encoding: declared)
      }
      return Finding(encoding: .utf8)
    }
    // A one-byte encoding's text that happens to be valid UTF-8 with multi-byte sequences is rarer
    // than a wrong label; stateful encodings are ASCII and must be decoded.
    switch said {
    case .other(let name) where name.hasPrefix("iso-2022") || name.hasPrefix("hz-"):
      return Finding(encoding: said)
    case .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian:
      return Finding(encoding: .utf8)  // the bytes do not look wide, so the label is wrong
    default: return Finding(encoding: UTF8Repair.isValid(bytes) ? .utf8 : said)
    }
  }

  private static func decodedInvalid(_ bytes: UnsafeRawBufferPointer, marked: Bool) -> [UInt8] {
    if !marked, let guessed = EncodingGuess.guess(bytes),
      let text = CharsetDecoder.utf8(bytes, from: guessed)
    {
      return text
    }
    return UTF8Repair.repaired(bytes)
  }

  private static func byteOrderMark(_ bytes: UnsafeRawBufferPointer) -> Finding? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Finding(encoding: .utf8, markBytes: 3) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
      return Finding(encoding: .utf32LittleEndian, markBytes: 4)
    }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      return Finding(encoding: .utf32BigEndian, markBytes: 4)
    }
    if bytes.starts(with: [0xFF, 0xFE]) {
      return Finding(encoding: .utf16LittleEndian, markBytes: 2)
    }
    if bytes.starts(with: [0xFE, 0xFF]) { return Finding(encoding: .utf16BigEndian, markBytes: 2) }
    return nil
  }

  /// XML appendix F: the first `<` tells the width and order of units.
  private static func wideUnits(_ bytes: UnsafeRawBufferPointer) -> CharacterEncoding? {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0, 0, 0, 1...): return .utf32BigEndian
    case (1..., 0, 0, 0): return .utf32LittleEndian
    case (0, 1..., 0, 1...): return .utf16BigEndian
    case (1..., 0, 1..., 0): return .utf16LittleEndian
    default: return nil
    }
  }

  /// The charset of a Content-Type, unless it says nothing.
  static func headerLabel(_ contentType: String?) -> CharacterEncoding? {
    guard let contentType else { return nil }
    let bytes = Array(contentType.utf8)
    return bytes.withUnsafeBytes { text in
      guard let at = ASCII.find("charset", in: text, from: 0, caseless: true) else { return nil }
      var index = ASCII.skipBlanks(text, from: at + 7)
      guard index < text.count, text[index] == UInt8(ascii: "=") else { return nil }
      index = ASCII.skipBlanks(text, from: index + 1)
      let label = text[index...].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
      let plain = label.filter { $0 > 0x20 && $0 != 0x22 && $0 != 0x27 }
      let name = String(decoding: plain, as: UTF8.self).lowercased()
      return name == "us-ascii" || name == "ascii" ? nil : CharacterEncoding(label: plain)
    }
  }

  private static func declarationLabel(_ bytes: UnsafeRawBufferPointer) -> CharacterEncoding? {
    let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(declarationBytesMax))
    guard let open = ASCII.find("<?xml", in: head, from: 0),
      let close = ASCII.find("?>", in: head, from: open)
    else { return nil }
    let declaration = UnsafeRawBufferPointer(rebasing: head[open..<close])
    guard let at = ASCII.find("encoding", in: declaration, from: 0) else { return nil }
    return quotedLabel(declaration, from: at + 8)
  }

  /// `<meta charset=…>` or `<meta http-equiv=… content="text/html; charset=…">`.
  private static func metaLabel(_ bytes: UnsafeRawBufferPointer) -> CharacterEncoding? {
    let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(declarationBytesMax * 4))
    var from = 0
    while let meta = ASCII.find("<meta", in: head, from: from, caseless: true) {
      let end = ASCII.find(">", in: head, from: meta) ?? head.count
      let tag = UnsafeRawBufferPointer(rebasing: head[meta..<end])
      if let at = ASCII.find("charset", in: tag, from: 0, caseless: true),
        let label = quotedLabel(tag, from: at + 7)
      {
        return label
      }
      from = end
    }
    return declarationLabel(bytes)
  }

  private static func quotedLabel(
    _ text: UnsafeRawBufferPointer, from start: Int
  ) -> CharacterEncoding? {
    var index = ASCII.skipBlanks(text, from: start)
    guard index < text.count, text[index] == UInt8(ascii: "=") else { return nil }
    index = ASCII.skipBlanks(text, from: index + 1)
    if index < text.count, text[index] == 0x22 || text[index] == 0x27 { index += 1 }
    let label = text[index...].prefix {
      $0 > 0x20 && $0 != 0x22 && $0 != 0x27 && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ">")
    }
    return CharacterEncoding(label: label)
  }
}
