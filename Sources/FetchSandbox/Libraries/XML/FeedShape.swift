/// The nesting rules of feeds that `XMLRepair` applies.
enum FeedShape {
  static func isItem(_ kind: FeedElement) -> Bool { kind == .item || kind == .entry }

  static func isContainer(_ kind: FeedElement) -> Bool {
    switch kind {
    case .rss, .rdf, .feed, .channel, .items: true
    default: false
    }
  }

  static func isLevel(_ kind: FeedElement) -> Bool { isContainer(kind) || isItem(kind) }

  /// Whether a document may begin with the element.
  static func isRoot(_ kind: FeedElement) -> Bool {
    isDocumentRoot(kind) || kind == .channel || kind == .entry
  }

  /// Whether the element can only be the root of a feed.
  static func isDocumentRoot(_ kind: FeedElement) -> Bool {
    kind == .rss || kind == .rdf || kind == .feed
  }

  /// Whether the element counts as a field of a channel, feed or item. Items and the elements that
  /// contain items do not count. Unknown elements and XHTML bodies do not count either, and neither
  /// do elements that occur only in persons, pictures or lists of hours or days.
  static func isField(_ kind: FeedElement) -> Bool {
    switch kind {
    case .unknown, .name, .email, .uri, .url, .homepage, .hour, .day, .itunesName, .itunesEmail,
      .body, .xhtmlBody, .xhtmlDiv:
      false
    default: !isLevel(kind)
    }
  }

  /// Whether the element normally occurs in items, and not directly in the feed.
  static func onlyItemsHave(_ kind: FeedElement) -> Bool {
    switch kind {
    case .guid, .enclosure, .comments, .content, .contentEncoded, .summary, .published, .issued,
      .itunesDuration, .itunesEpisode, .originalLink, .inReplyTo, .slashComments, .commentsFeed:
      true
    default: false
    }
  }

  /// Whether `outer`, a direct child of a channel, feed or item, may contain the field. If not, the
  /// end tag of `outer` is missing.
  static func mayHold(_ outer: FeedElement, hasPrefix: Bool, _ field: FeedElement) -> Bool {
    switch outer {
    // An element of an unknown module may contain fields, but HTML in a wrong place may not.
    case .unknown: hasPrefix
    case .source: true
    // A person may contain elements of modules.
    case .author, .contributor, .itunesOwner: field.rawValue.contains(":")
    case .image, .textinput: field == .title || field == .link || field == .description
    case .itunesCategory, .category: field == outer
    case .categories: field == .category
    case .group, .mediaContent: field.rawValue.utf8.starts(with: "media:".utf8)
    case .description, .summary, .subtitle, .tagline, .content, .contentEncoded, .body, .xhtmlBody,
      .xhtmlDiv, .fullitem, .abstract, .info, .rights, .copyright, .dcDescription, .dcRights,
      .dctermsAbstract, .itunesSummary, .mediaDescription, .mediaText:
      isHTML(field)
    default: false
    }
  }

  /// Whether HTML in a text may contain an element with the field's name.
  private static func isHTML(_ field: FeedElement) -> Bool {
    switch field {
    case .title, .link, .source, .summary, .image, .content: true
    default: false
    }
  }
}

/// The search for known elements by their names as written, with the usual meaning of each prefix.
struct FeedElementNames {
  /// The prefix of the root's name. It is ignored in all names except `rdf:RDF`.
  var rootPrefix: [UInt8] = []
  private var known: [String: FeedElement] = [:]
  private static let knownCountMax = 256
  private static let nameBytesMax = 48

  mutating func element(_ input: UnsafeRawBufferPointer, _ name: Range<Int>) -> FeedElement {
    guard name.count <= Self.nameBytesMax else { return .unknown }
    let key = String(decoding: input[name], as: UTF8.self).lowercased()
    if let element = known[key] { return element }
    let element = element(named: key)
    if known.count < Self.knownCountMax { known[key] = element }
    return element
  }

  private func element(named name: String) -> FeedElement {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return FeedElement(XMLTape.Name(uri: "", prefix: "", local: name), home: "")
    }
    var prefix = String(name[..<colon])
    let local = String(name[name.utf8.index(after: colon)...])
    if local != "rdf", prefix.utf8.elementsEqual(rootPrefix.map(ASCII.lowered)) { prefix = "" }
    return FeedElement(XMLTape.Name(uri: "", prefix: prefix, local: local), home: "")
  }
}
