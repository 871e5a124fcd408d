import FetchValues

/// A text in a feed, which may contain markup.
struct FeedContent {
  var text: String
  var isHTML: Bool
}

extension FeedTree {
  /// Reads a text construct: RSS's escaped HTML, Atom's text, html, xhtml and inline media types,
  /// Atom 0.3's modes, and unescaped markup.
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
    guard let content = content(node, in: FeedScope()) else { return nil }
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

  /// Returns an element's content as HTML, without XHTML's outermost `div` (RFC 4287 section
  /// 3.1.1.3).
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
