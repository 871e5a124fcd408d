import XMLLibrary

/// The reader that parses XML into an `XMLTape`. Text is repaired if it is not well-formed, exceeds
/// a limit or has a DOCTYPE. It is also repaired if it has costly markup (`CostlyMarkup`), or a
/// CDATA section that seems to be unclosed (`ItemTags.areSwallowed`).
enum XMLReading {
  struct Result {
    var tape: XMLTape
    /// Whether the document was parsed without repair.
    var isClean: Bool
    var loss = XMLRepair.Loss()
  }

  /// Reads an XML document in UTF-8. Returns nil if the document has no element. Throws
  /// `LibraryError.refused` if the repaired text is larger than `XMLLimits.inputBytesMax`.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(LibraryError) -> Result? {
    let text = trimmed(bytes)
    guard !text.isEmpty else { return nil }
    if !CostlyMarkup.found(in: text), let (tape, isClean) = XMLTapeBuilder.parse(text), isClean,
      !tape.holdsSectionStart || !ItemTags.areSwallowed(in: text)
    {
      return tape.nodes.isEmpty ? nil : Result(tape: tape, isClean: true)
    }
    let (repaired, loss) = XMLRepair.repair(text)
    guard repaired.count <= XMLLimits.inputBytesMax else {
      throw .refused("the repaired document is larger than \(XMLLimits.inputBytesMax >> 20) MiB")
    }
    guard let (tape, _) = repaired.withUnsafeBytes(XMLTapeBuilder.parse), !tape.nodes.isEmpty
    else { return nil }
    return Result(tape: tape, isClean: false, loss: loss)
  }

  /// Removes blanks at the beginning of the document. The XML declaration must come first, and
  /// blanks before it are a frequent fault of real feeds.
  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = ASCII.skipBlanks(bytes, from: 0)
    return UnsafeRawBufferPointer(rebasing: bytes[start...])
  }
}

/// libxml2's process-wide state and options.
enum XMLParsing {
  /// Fills libxml2's tables once. The first use must come before `lockdown_apply` restricts the
  /// worker, and before other threads start.
  static let ready: Void = {
    xmlInitParser()
    // Discards messages, because neither the parser nor XPath may print.
    xmlSetStructuredErrorFunc(nil) { _, _ in }
    xmlSetGenericErrorFunc(nil, nil)
    xmlSetExternalEntityLoader { _, _, _ in nil }
  }()

  /// The parser's options: no network and no printed messages. The declared encoding is ignored,
  /// references are replaced by their values, and CDATA sections become text. Parsing continues
  /// after an error.
  static let options =
    Int32(XML_PARSE_NONET.rawValue) | Int32(XML_PARSE_NOENT.rawValue)
    | Int32(XML_PARSE_RECOVER.rawValue) | Int32(XML_PARSE_NOERROR.rawValue)
    | Int32(XML_PARSE_NOWARNING.rawValue) | Int32(XML_PARSE_IGNORE_ENC.rawValue)
    | Int32(XML_PARSE_NOCDATA.rawValue)

  /// Returns an error's message as one line of text, with the line number if libxml2 gives one.
  static func message(_ error: xmlError) -> String {
    guard let text = error.message else { return "not well-formed" }
    let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text, max: 300))
    let line = String(decoding: bytes.filter { $0 != 0x0A }, as: UTF8.self)
    return error.line > 0 ? "line \(error.line): \(line)" : line
  }

  private static func strlen(_ text: UnsafePointer<CChar>, max: Int) -> Int {
    var count = 0
    while count < max, text[count] != 0 { count += 1 }
    return count
  }
}

/// The limits of XML documents, feeds and HTML documents.
enum XMLLimits {
  /// The maximum size of a document in bytes. A limit is needed because libxml2 counts bytes in
  /// 32-bit integers.
  static let inputBytesMax = 64 << 20
  /// The maximum nesting of elements. Real documents have fewer than 100 levels, and libxml2's own
  /// limit is 256.
  static let depthMax = 200
  /// The maximum number of elements and texts together in an `XMLTape`.
  static let nodeCountMax = 500_000
  /// The maximum number of nodes in the libxml2 tree of a document that a plugin parses. Each node
  /// takes about 120 bytes, and an attribute counts as two nodes.
  static let treeNodeCountMax = 400_000
  /// The maximum number of unclosed elements of an HTML page, because libxml2 searches all of them
  /// at each end tag.
  static let openTagCountMax = 4096
  /// The maximum number of attributes of an element. libxml2 compares each attribute with all
  /// earlier attributes of the element, so 100,000 attributes take 3.4 s.
  static let attributeCountMax = 256
  /// The maximum number of namespace declarations in scope in a feed, because libxml2 searches the
  /// declarations one by one for each element.
  static let namespaceCountMax = 256
  /// The maximum number of bytes that the entities in a feed's DTD may add to the feed.
  static let entityGrowthBytesMax = 65_536
}
