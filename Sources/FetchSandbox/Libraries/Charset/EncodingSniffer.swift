import FetchValues
internal import Glibc

/// The detector of a document's encoding, which works before the document is parsed.
///
/// The order is that of RFC 7303 section 3 and the HTML standard. The byte order mark comes first,
/// then the header's `charset`, then the document's declaration. UTF-16 and UTF-32 without a byte
/// order mark are detected by their zero bytes. A label of an encoding that uses only ASCII bytes,
/// such as `iso-2022-jp`, is used without a check of the bytes. The bytes take precedence over all
/// other labels in cases where servers often send wrong labels:
///
/// * If the bytes are valid UTF-8, the text is UTF-8, even if the label differs. Without a label
///   other than UTF-8, escape sequences of ISO-2022-JP in an ASCII text are also recognized.
/// * If most sequences beyond ASCII are valid UTF-8, a label other than UTF-8 is ignored. An East
///   Asian label is ignored only if the text is also invalid in the label's encoding.
/// * If the header says UTF-8, another label in the document's declaration replaces this label.
/// * If some bytes are invalid and no label other than UTF-8 is left, `EncodingGuess` guesses the
///   encoding.
/// * Unknown labels are ignored. In the header, `us-ascii` and `ascii` are ignored as well.
enum EncodingSniffer {
  /// The number of bytes at a document's start that are searched for a declaration. Four times as
  /// many bytes of an HTML document are searched for a `meta` element.
  static let declarationBytesMax = 1024

  struct Finding {
    var encoding: CharacterEncoding
    /// The length of the byte order mark, which is not part of the text.
    var markBytes = 0
    var isGuess = false
    /// Whether the bytes were found to be valid UTF-8.
    var isValid = false
  }

  /// The evidence for a document's encoding.
  enum Verdict: Equatable {
    /// The text is UTF-8 and has only ASCII bytes, so the text gives no evidence.
    case unproved
    /// The encoding is known from a byte order mark, a label or the bytes. UTF-8 counts as known
    /// even if some bytes are invalid.
    case named
    case guessed(CharacterEncoding)
  }

  /// The UTF-8 text of a document.
  struct Converted {
    /// The offset of the text in the document if `bytes` is nil. The document is then already
    /// UTF-8.
    var start = 0
    var bytes: [UInt8]?
    var verdict: Verdict
  }

  /// Converts the document to UTF-8 without a byte order mark. `remembered` is the encoding that
  /// was guessed for an earlier version of the document. `EncodingGuess` prefers the remembered
  /// encoding.
  static func convert(
    _ bytes: UnsafeRawBufferPointer, contentType: String?, isHTML: Bool = false,
    remembered: CharacterEncoding? = nil
  ) -> Converted {
    let finding = find(bytes, contentType: contentType, isHTML: isHTML, remembered: remembered)
    let rest = UnsafeRawBufferPointer(rebasing: bytes[finding.markBytes...])
    guard finding.encoding != .utf8 else {
      let isValid = finding.isValid || UTF8Repair.isValid(rest)
      return Converted(
        start: isValid ? finding.markBytes : 0,
        bytes: isValid ? nil : UTF8Repair.repaired(rest),
        verdict: UTF8Check.firstBeyondASCII(in: rest, from: 0) < rest.count ? .named : .unproved)
    }
    return Converted(
      bytes: CharsetDecoder.utf8(rest, from: finding.encoding) ?? UTF8Repair.repaired(rest),
      verdict: finding.isGuess ? .guessed(finding.encoding) : .named)
  }

  static func find(
    _ bytes: UnsafeRawBufferPointer, contentType: String?, isHTML: Bool,
    remembered: CharacterEncoding? = nil
  ) -> Finding {
    if let marked = byteOrderMark(bytes) { return marked }
    if let wide = wideUnits(bytes) { return Finding(encoding: wide) }
    let declared = narrow(isHTML ? metaLabel(bytes) : declarationLabel(bytes))
    let header = narrow(headerLabel(contentType))
    // Some servers label everything UTF-8, so another label in the document's declaration replaces
    // this label.
    let named = [header, declared].lazy.compactMap { $0 }.first { $0 != .utf8 }
    let said = header == nil || header == .utf8 ? named : header
    if let said, said.isStateful { return Finding(encoding: said) }
    let census = UTF8Repair.census(bytes)
    if census.faultCount == 0 {
      let isEscaped = census.validCount == 0 && said == nil && hasJapaneseEscape(bytes)
      return Finding(encoding: isEscaped ? .other("iso-2022-jp") : .utf8, isValid: true)
    }
    if let said { return Finding(encoding: isUTF8(bytes, census, not: said) ? .utf8 : said) }
    let guess = EncodingGuess(
      bytes: bytes, census: census, isSaidUTF8: header == .utf8 || declared == .utf8,
      remembered: remembered)
    return Finding(encoding: guess.encoding, isGuess: true)
  }

  /// Returns the label. Returns UTF-8 instead of UTF-16 and UTF-32, because the bytes were already
  /// checked for these encodings.
  private static func narrow(_ label: CharacterEncoding?) -> CharacterEncoding? {
    switch label {
    case .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian: .utf8
    default: label
    }
  }

  /// Whether a text is UTF-8 with some invalid bytes although its label names another encoding.
  private static func isUTF8(
    _ bytes: UnsafeRawBufferPointer, _ census: UTF8Repair.Census, not said: CharacterEncoding
  ) -> Bool {
    guard census.validCount > census.faultCount else { return false }
    // Pairs of bytes in East Asian encodings can be valid UTF-8 by accident.
    guard MultiByteReading.all.contains(where: { $0.encoding == said }) else { return true }
    let text = CharsetDecoder.utf8(bytes, from: said) ?? []
    return text.withUnsafeBytes { ASCII.find("\u{FFFD}", in: $0, from: 0) != nil }
  }

  /// Whether the text contains `ESC $ B` or `ESC $ @`, which switch ISO-2022-JP to kanji.
  private static func hasJapaneseEscape(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The escape character is searched for first, because few texts have one. `memchr` takes a
    // tenth of the time of `ASCII.find`.
    guard let base = bytes.baseAddress, memchr(base, 0x1B, bytes.count) != nil else { return false }
    return ASCII.find("\u{1B}$B", in: bytes, from: 0) != nil
      || ASCII.find("\u{1B}$@", in: bytes, from: 0) != nil
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

  /// Detects UTF-16 and UTF-32 by the zero bytes among the first four bytes (XML appendix F).
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

  /// Returns the charset of a Content-Type; nil if there is no charset, or if the charset is
  /// unknown, `us-ascii` or `ascii`.
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

  /// Reads `<meta charset=…>` or `<meta http-equiv=… content="text/html; charset=…">`. If no such
  /// element has a known label, reads the XML declaration.
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
