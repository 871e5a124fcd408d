import FetchValues

/// The parser of an answer's bytes as a feed, from encoding to items.
package enum FeedDocument {
  /// The facts about an answer that are needed to parse its bytes.
  package struct Origin: Sendable {
    package var url: String?
    package var contentType: String?
    package var contentLocation: String?
    package var contentLanguage: String?
    /// The encoding that was guessed for the previous text from this address.
    var encoding: CharacterEncoding?

    package init(
      url: String? = nil, contentType: String? = nil, contentLocation: String? = nil,
      contentLanguage: String? = nil
    ) {
      self.url = url
      self.contentType = contentType
      self.contentLocation = contentLocation
      self.contentLanguage = contentLanguage
    }
  }

  /// Parses RSS, Atom or JSON Feed and returns the feed with its items, in the order of the text.
  /// The caller notes the hints and the encoding in the run's `LibraryContext`.
  ///
  /// `EncodingSniffer.convert` detects the encoding. Damaged XML is repaired, and `isRepaired` is
  /// then true. Each item has an id, from `completeID` if the feed gives none. Items beyond
  /// `FeedReader.itemCountMax` are ignored.
  ///
  /// Throws only `LibraryError.refused`, for example for bytes that are not a feed, for damaged
  /// JSON, and for more than `XMLLimits.inputBytesMax` bytes. An XML feed without items is also
  /// refused if its items were probably lost, since a plugin might treat the empty list as
  /// complete. For a web page, the message lists feeds to which the page links.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, origin: Origin
  ) throws(LibraryError) -> Feed {
    guard bytes.count <= XMLLimits.inputBytesMax else {
      throw .refused("the document is larger than \(XMLLimits.inputBytesMax >> 20) MiB")
    }
    let text = EncodingSniffer.convert(
      bytes, contentType: origin.contentType, remembered: origin.encoding)
    var feed = try parse(bytes, text, origin)
    feed.encoding = text.verdict
    return feed
  }

  private static func parse(
    _ bytes: UnsafeRawBufferPointer, _ text: EncodingSniffer.Converted, _ origin: Origin
  ) throws(LibraryError) -> Feed {
    guard let converted = text.bytes else {
      return try parse(utf8: UnsafeRawBufferPointer(rebasing: bytes[text.start...]), origin)
    }
    let result = converted.withUnsafeBytes { text in
      Result { () throws(LibraryError) in try parse(utf8: text, origin) }
    }
    return try result.get()
  }

  private static func parse(
    utf8 text: UnsafeRawBufferPointer, _ origin: Origin
  ) throws(LibraryError) -> Feed {
    let first = ASCII.skipBlanks(text, from: 0)
    guard first < text.count else { throw .refused("the document is empty") }
    let scope = FeedScope(base: origin.url, language: origin.contentLanguage)
      .inside(base: origin.contentLocation, language: nil)
    if text[first] == UInt8(ascii: "{") { return try parse(json: text, scope) }
    if HTMLPage.isPage(text) { throw .refused(pageMessage(text, scope)) }
    guard let result = try XMLReading.read(text),
      var feed = FeedReader.read(result.tape, scope: scope)
    else { throw .refused("not a feed: neither RSS, Atom nor JSON Feed") }
    feed.isRepaired = !result.isClean
    if feed.items.isEmpty { try checkLoss(text, result) }
    return feed
  }

  /// Throws an error for a feed without items if its items were probably lost. If a plugin treated
  /// the empty list as complete, every stored item would be removed.
  ///
  /// A feed that had to be repaired is refused if it contains an item's tag, even in a comment. It
  /// is also refused if its end or other tags are missing. A well-formed feed is refused if it
  /// contains an item's tag outside comments and CDATA sections. Any feed is refused if
  /// `hasBrokenTag` returns true.
  private static func checkLoss(
    _ text: UnsafeRawBufferPointer, _ result: XMLReading.Result
  ) throws(LibraryError) {
    var places = RepairPlaces(text)
    var tags = ItemTags(text)
    let tag = result.isClean ? tags.next(after: -1)?.place : places.next(.itemTag, from: 0)
    if let tag, tag < text.count {
      let line = text[..<tag].count { $0 == 0x0A } + 1
      throw .refused(
        "the feed has no items that can be read, but line \(line) has the tag of an item")
    }
    if result.loss.end {
      throw .refused(
        "the feed has no items and does not end with the end tag of its root; it may be cut off")
    }
    if result.loss.tags {
      throw .refused("the feed has no items, and some of its tags have no counterpart")
    }
    if hasBrokenTag(result.tape) {
      throw .refused("the feed has no items, and one of its tags may be incomplete")
    }
  }

  /// Whether a text with `>` is a direct child of a container. Such a text is probably the end of a
  /// tag whose beginning is missing. The feed can still be well-formed.
  private static func hasBrokenTag(_ tape: XMLTape) -> Bool {
    let tree = FeedTree(tape)
    return tape.nodes.indices.contains { node in
      guard let element = tree.element(node), FeedShape.isContainer(element) else { return false }
      return tape.children(of: node).contains {
        tape.nodes[$0].isText && tape.text($0).contains(UInt8(ascii: ">"))
      }
    }
  }

  private static func parse(
    json text: UnsafeRawBufferPointer, _ scope: FeedScope
  ) throws(LibraryError) -> Feed {
    let document: Value
    do throws(JSONError) {
      document = try JSONReader.decode(text)
    } catch {
      throw .refused("cannot be read as a feed: it begins like JSON; \(error)")
    }
    guard let feed = JSONFeedReader.read(document, scope: scope) else {
      throw .refused(
        "not a feed: it is JSON, but not a JSON Feed ('version' must contain jsonfeed.org/version/)"
      )
    }
    return feed
  }

  private static func pageMessage(_ text: UnsafeRawBufferPointer, _ scope: FeedScope) -> String {
    let links = HTMLPage.feedLinks(text, in: scope)
    guard !links.isEmpty else { return "not a feed but a web page" }
    return "not a feed but a web page; the page links to these feeds: "
      + links.joined(separator: " ")
  }
}
