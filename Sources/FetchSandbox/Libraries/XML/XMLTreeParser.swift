import XMLLibrary

/// The parser that builds trees with libxml2, within `XMLLimits`.
///
/// libxml2's own SAX handlers build the tree. The callbacks of `TreeGuard` run before these
/// handlers.
enum XMLTreeParser {
  /// Parses well-formed XML within the limits. Throws an error for any other text, and for text
  /// with entity declarations or costly markup (`CostlyMarkup`). The message has the line if
  /// libxml2 reports one.
  static func xml(_ text: UnsafeRawBufferPointer) throws(LibraryError) -> XMLDocument {
    try checkSize(text)
    guard !CostlyMarkup.found(in: text) else {
      throw .refused(
        "an element has more than \(XMLLimits.attributeCountMax) attributes, "
          + "or a comment contains `--` too often")
    }
    let start = text.assumingMemoryBound(to: CChar.self).baseAddress
    guard let context = xmlCreateMemoryParserCtxt(start, Int32(text.count)) else {
      throw .refused("the document is empty")
    }
    defer { xmlFreeParserCtxt(context) }
    let strict = XMLParsing.options & ~Int32(XML_PARSE_RECOVER.rawValue)
    xmlCtxtUseOptions(context, strict)
    let guardian = TreeGuard(context)
    guardian.guardXML()
    withExtendedLifetime(guardian) { _ = xmlParseDocument(context) }
    let document = context.pointee.myDoc
    context.pointee.myDoc = nil
    if let problem = guardian.problem ?? wellFormednessProblem(context, guardian) {
      if let document { xmlFreeDoc(document) }
      throw .refused(problem)
    }
    guard let document else { throw .refused("the document is empty") }
    return XMLDocument(document, kind: .xml, bytes: guardian.bytes(of: text))
  }

  private static func wellFormednessProblem(
    _ context: xmlParserCtxtPtr, _ guardian: TreeGuard
  ) -> String? {
    guard context.pointee.wellFormed == 0 else { return nil }
    return guardian.firstError ?? "the document is not well-formed"
  }

  private static func checkSize(_ text: UnsafeRawBufferPointer) throws(LibraryError) {
    _ = XMLParsing.ready
    guard text.count <= XMLLimits.inputBytesMax else {
      throw .refused("the document is larger than \(XMLLimits.inputBytesMax >> 20) MiB")
    }
  }

  /// Parses UTF-8 as HTML. Accepts any text within the limits, except a text of blanks. An empty
  /// text is an error, because otherwise it would look like a page without elements.
  static func html(_ text: UnsafeRawBufferPointer) throws(LibraryError) -> XMLDocument {
    try checkSize(text)
    let options =
      Int32(HTML_PARSE_RECOVER.rawValue) | Int32(HTML_PARSE_NOERROR.rawValue)
      | Int32(HTML_PARSE_NOWARNING.rawValue) | Int32(HTML_PARSE_NONET.rawValue)
      | Int32(HTML_PARSE_IGNORE_ENC.rawValue)
    guard !CostlyMarkup.foundInHTML(text) else {
      throw .refused("an element has more than \(XMLLimits.attributeCountMax) attributes")
    }
    return try html(text, options)
  }

  private static func html(
    _ text: UnsafeRawBufferPointer, _ options: Int32
  ) throws(LibraryError) -> XMLDocument {
    guard text.contains(where: { !ASCII.isBlank($0) }),
      let context = htmlCreateMemoryParserCtxt(
        text.assumingMemoryBound(to: CChar.self).baseAddress, Int32(text.count))
    else { throw .refused("the document is empty") }
    defer { htmlFreeParserCtxt(context) }
    htmlCtxtUseOptions(context, options)
    // The bytes are UTF-8. Without this call, libxml2 would read the bytes before a meta element as
    // Latin-1.
    _ = xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8)
    let guardian = TreeGuard(context)
    guardian.guardHTML()
    withExtendedLifetime(guardian) { _ = htmlParseDocument(context) }
    let document = context.pointee.myDoc
    context.pointee.myDoc = nil
    if let problem = guardian.problem {
      if let document { xmlFreeDoc(document) }
      throw .refused(problem)
    }
    guard let document else { throw .refused("the document is empty") }
    return XMLDocument(document, kind: .html, bytes: guardian.bytes(of: text))
  }
}
