import XMLLibrary

/// libxml2's process-wide state and options.
enum XMLParsing {
  /// Fills libxml2's tables once. The first use must precede the lock-down and the start of other
  /// threads.
  static let ready: Void = {
    xmlInitParser()
    // Discards messages, because neither the parser nor XPath may print. Errors are read from the
    // contexts of the parser and XPath.
    xmlSetStructuredErrorFunc(nil) { _, _ in }
    xmlSetGenericErrorFunc(nil, nil)
    xmlSetExternalEntityLoader { _, _, _ in nil }
  }()

  /// The parser's options: no network, no DTD, no printed messages, only the predefined entities,
  /// and no decoding by libxml2.
  static let options =
    Int32(XML_PARSE_NONET.rawValue) | Int32(XML_PARSE_NOENT.rawValue)
    | Int32(XML_PARSE_RECOVER.rawValue) | Int32(XML_PARSE_NOERROR.rawValue)
    | Int32(XML_PARSE_NOWARNING.rawValue) | Int32(XML_PARSE_IGNORE_ENC.rawValue)
    | Int32(XML_PARSE_NOCDATA.rawValue)

  /// Returns an error's message and line as one line of text.
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
