import FetchValues
internal import Glibc

/// A parsed feed document with its names mapped to known elements.
struct FeedTree {
  let tape: XMLTape
  /// Whether the feed is Atom. Texts without a type are plain text in Atom and HTML in RSS.
  let isAtom: Bool
  private let elements: [FeedElement]
  private let attributeKinds: [FeedAttribute]

  init(_ tape: XMLTape) {
    self.tape = tape
    let root = tape.nodes.first.map { tape.names[Int($0.name)] }
    let home = Self.home(root, tape.names)
    elements = tape.names.map { FeedElement($0, home: home) }
    isAtom = root?.local == "feed" || root?.local == "entry"
    attributeKinds = tape.names.map(FeedAttribute.init)
  }

  /// Returns the namespace of the feed's own elements, even if the namespace's address is unknown.
  /// This is the namespace of the root or, in RDF, of the first name `channel` or `item` without a
  /// prefix.
  private static func home(_ root: XMLTape.Name?, _ names: [XMLTape.Name]) -> String {
    guard let root else { return "" }
    guard root.local.lowercased() == "rdf" else { return root.uri }
    return names.first { $0.prefix.isEmpty && ($0.local == "channel" || $0.local == "item") }?.uri
      ?? ""
  }

  /// Returns the element of the node, which may be `.unknown`; nil for a text node.
  func element(_ node: Int) -> FeedElement? {
    let name = tape.nodes[node].name
    return name < 0 ? nil : elements[Int(name)]
  }

  func attribute(_ node: Int, _ kind: FeedAttribute) -> String? {
    for index in tape.attributes(of: node)
    where attributeKinds[Int(tape.attributes[index].name)] == kind {
      return FeedText.string(tape.value(tape.attributes[index]))
    }
    return nil
  }

  func integer(_ node: Int, _ kind: FeedAttribute) -> Int64? {
    attribute(node, kind).flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Returns all text below the node, trimmed; nil if there is no text.
  func text(_ node: Int) -> String? { FeedText.string(tape.allText(node)) }

  /// Returns the first text directly in the node, trimmed; nil if there is none.
  func ownText(_ node: Int) -> String? {
    for child in tape.children(of: node) where tape.nodes[child].isText {
      if let text = FeedText.string(tape.text(child)) { return text }
    }
    return nil
  }

  func number(_ node: Int) -> Int64? { text(node).flatMap { Int64($0) } }

  func date(_ node: Int) -> Timestamp? {
    tape.allText(node).withUnsafeBufferPointer { FeedDate.parse(utf8: $0) }
  }

  func firstChild(_ node: Int, _ element: FeedElement) -> Int? {
    tape.children(of: node).first { self.element($0) == element }
  }

  func hasElements(_ node: Int) -> Bool {
    tape.children(of: node).contains { !tape.nodes[$0].isText }
  }

  /// Returns the base address and language that apply inside a node.
  func scope(_ node: Int, in outer: FeedScope) -> FeedScope {
    guard !tape.attributes(of: node).isEmpty else { return outer }
    return outer.inside(base: attribute(node, .base), language: attribute(node, .xmlLang))
  }
}

extension FeedTree {
  /// Reads a person from Atom's or iTunes' elements, or from one line of text.
  func person(_ node: Int, in scope: FeedScope) -> FeedPerson? {
    var person = FeedPerson()
    guard hasElements(node) else {
      guard let line = text(node) else { return nil }
      person = FeedPerson(line: line)
      return person.isEmpty ? nil : person
    }
    for child in tape.children(of: node) {
      switch element(child) {
      case .name, .itunesName, .title: person.name = person.name ?? text(child)
      case .email, .itunesEmail: person.email = person.email ?? text(child)
      case .uri, .url, .homepage: person.url = person.url ?? text(child).map(scope.resolve)
      default: break
      }
    }
    return person.isEmpty ? nil : person
  }

  /// Returns the rank of an alternate link. The rank decides which link becomes the `url` of the
  /// entry or the feed. Links to HTML and links without a type have the best rank. Of links with
  /// equal ranks, the earlier link is preferred.
  func linkRank(_ node: Int) -> Int {
    guard let type = attribute(node, .type)?.lowercased() else { return 2 }
    return ASCII.contains("html", in: type) ? 2 : 1
  }
}

extension Array where Element == String {
  /// Adds the new tags of a category or keyword element.
  mutating func addTags(of node: Int, _ element: FeedElement, in tree: FeedTree) {
    switch element {
    case .itunesKeywords, .mediaKeywords, .keywords:
      for word in (tree.text(node) ?? "").utf8.split(separator: UInt8(ascii: ",")) {
        addTag(FeedText.string(ArraySlice(Array<UInt8>(word))))
      }
    case .categories:
      for child in tree.tape.children(of: node) where tree.element(child) == .category {
        addTags(of: child, .category, in: tree)
      }
    case .itunesCategory:
      addTag(tree.attribute(node, .text) ?? tree.text(node))
      for child in tree.tape.children(of: node) where tree.element(child) == .itunesCategory {
        addTag(tree.attribute(child, .text) ?? tree.text(child))
      }
    default:
      addTag(tree.attribute(node, .term) ?? tree.ownText(node) ?? tree.attribute(node, .label))
    }
  }

  mutating func addTag(_ tag: String?) {
    guard let tag, count < 1000, !contains(where: { $0.utf8.elementsEqual(tag.utf8) }) else {
      return
    }
    append(tag)
  }
}

/// A text in a feed, which may contain markup.
struct FeedContent {
  var text: String
  var isHTML: Bool
}

extension FeedTree {
  /// Reads the text of an element. The text may be escaped HTML, plain text, Base64, or unescaped
  /// markup.
  func content(_ node: Int, in scope: FeedScope) -> FeedContent? {
    let type = attribute(node, .type)?.lowercased()
    let isHTML = type.map { ASCII.contains("html", in: $0) } ?? !isAtom
    if hasElements(node) {
      return markup(node).map { FeedContent(text: HTMLLinks.resolved($0, in: scope), isHTML: true) }
    }
    let raw = tape.allText(node)
    if isBase64(node, type: type), let decoded = Self.base64(raw),
      decoded.withUnsafeBytes({ UTF8Repair.isValid($0) })
    {
      return FeedText.string(decoded[...]).map { FeedContent(text: $0, isHTML: isHTML) }
    }
    guard let text = FeedText.string(raw) else { return nil }
    return FeedContent(text: isHTML ? HTMLLinks.resolved(text, in: scope) : text, isHTML: isHTML)
  }

  /// Reads a title as plain text.
  func title(_ node: Int, in scope: FeedScope) -> String? {
    guard let content = content(node, in: .none) else { return nil }
    return content.isHTML ? HTMLText.inline(content.text) : content.text
  }

  private func isBase64(_ node: Int, type: String?) -> Bool {
    if let mode = attribute(node, .mode) { return mode.lowercased() == "base64" }
    guard let type, type.contains("/") else { return false }
    return !type.hasPrefix("text/") && !type.hasSuffix("xml") && !type.hasSuffix("json")
      && attribute(node, .src) == nil
  }

  /// Decodes Base64 in a feed (RFC 2045), which may have blanks and wrong padding. Returns nil if
  /// the text is empty or is not Base64.
  private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let digits = text.filter { $0 > 0x20 && $0 != UInt8(ascii: "=") }
    guard !digits.isEmpty else { return nil }
    return digits.withUnsafeBytes { Base64.decode($0, strict: false) }
  }

  /// Returns an element's content as HTML. If its only child is a `div` of XHTML, this `div` is
  /// left out (RFC 4287 section 3.1.1.3).
  private func markup(_ node: Int) -> String? {
    var parent = node
    let children = tape.children(of: node).filter { !isBlankText($0) }
    if children.count == 1, let only = children.first, element(only) == .xhtmlDiv { parent = only }
    var writer = MarkupWriter(tape: tape)
    writer.writeChildren(of: parent)
    return FeedText.string(writer.bytes[...])
  }

  private func isBlankText(_ node: Int) -> Bool {
    tape.nodes[node].isText && tape.text(node).allSatisfy { ASCII.isBlank($0) }
  }
}

/// The reader of the text in elements of feeds.
enum FeedText {
  /// Returns the trimmed text with U+0080 to U+009F read as windows-1252; nil if the text is empty.
  static func string(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.withUnsafeBytes { text in
      var start = 0
      var end = text.count
      while start < end, text[start] <= 0x20 { start += 1 }
      while end > start, text[end - 1] <= 0x20 { end -= 1 }
      guard start < end else { return nil }
      let trimmed = UnsafeRawBufferPointer(rebasing: text[start..<end])
      return hasControls(trimmed)
        ? withoutControls(trimmed)
        : UTF8Check.text(trimmed) ?? String(decoding: trimmed, as: UTF8.self)
    }
  }

  /// Whether the text has a control character from U+0080 to U+009F (C2 80 to C2 9F in UTF-8).
  private static func hasControls(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let base = text.baseAddress else { return false }
    var index = 0
    while index + 1 < text.count, let found = memchr(base + index, 0xC2, text.count - 1 - index) {
      index = UnsafeRawPointer(found) - base + 1
      if text[index] < 0xA0 { return true }
    }
    return false
  }

  /// Returns the text with the control characters U+0080 to U+009F read as windows-1252. Some feeds
  /// write `&#150;` for the dash of windows-1252.
  private static func withoutControls(_ text: UnsafeRawBufferPointer) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      let isControl = (0x80..<0xA0).contains(scalar.value)
      scalars.append(isControl ? UTF8Repair.upperControls[Int(scalar.value - 0x80)] : scalar)
    }
    return String(scalars)
  }
}
