internal import Glibc

/// The conversion of the links in a piece of HTML to absolute links.
enum HTMLLinks {
  /// Returns the HTML with the quoted relative addresses in `href` and `src` resolved. Addresses
  /// that begin with `#` are unchanged. Without a base address, the HTML is unchanged.
  static func resolved(_ html: String, in scope: FeedScope) -> String {
    guard scope.hasBase else { return html }
    var html = html
    let output = html.withUTF8 { bytes in resolved(UnsafeRawBufferPointer(bytes), scope) }
    return output.map { String(decoding: $0, as: UTF8.self) } ?? html
  }

  /// Returns the changed HTML; nil if nothing changes, as in most texts.
  private static func resolved(_ text: UnsafeRawBufferPointer, _ scope: FeedScope) -> [UInt8]? {
    var output: [UInt8] = []
    var copied = 0
    var index = 0
    var isInTag = false
    while index < text.count {
      guard isInTag else {
        guard let tag = firstTag(text, from: index) else { break }
        isInTag = true
        index = tag + 1
        continue
      }
      switch text[index] {
      case UInt8(ascii: ">"): isInTag = false
      case UInt8(ascii: "=") where isLink(text, before: index):
        guard let place = relativeValue(text, from: index + 1) else { break }
        let link = HTMLText.unescaped(String(decoding: text[place], as: UTF8.self))
        output += text[copied..<place.lowerBound]
        output += escaped(scope.resolve(link)).utf8
        copied = place.upperBound
        index = place.upperBound
        continue
      default: break
      }
      index += 1
    }
    guard copied > 0 else { return nil }
    output += text[copied...]
    return output
  }

  private static func firstTag(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = text.baseAddress,
      let found = memchr(base + start, CInt(UInt8(ascii: "<")), text.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Whether the attribute name before the equals sign is `href` or `src`.
  private static func isLink(_ text: UnsafeRawBufferPointer, before equals: Int) -> Bool {
    let isHref = ASCII.matches("href", in: text, at: equals - 4, caseless: true)
    guard isHref || ASCII.matches("src", in: text, at: equals - 3, caseless: true) else {
      return false
    }
    let before = equals - (isHref ? 5 : 4)
    return before >= 0 && (ASCII.isBlank(text[before]) || text[before] == 0x22)
  }

  /// Returns the range of a quoted address without a scheme. Returns nil for any other value, for
  /// an empty address, and for an address that begins with `#` or contains `<`.
  private static func relativeValue(
    _ text: UnsafeRawBufferPointer, from start: Int
  ) -> Range<Int>? {
    guard start < text.count, text[start] == 0x22 || text[start] == 0x27 else { return nil }
    var end = start + 1
    while end < text.count, text[end] != text[start], text[end] != UInt8(ascii: "<") { end += 1 }
    guard end < text.count, text[end] == text[start], end > start + 1 else { return nil }
    let value = text[(start + 1)..<end]
    if value.first == UInt8(ascii: "#") { return nil }
    let head = value.prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 && $0 != 0x3A }
    let hasScheme = head.endIndex < end && text[head.endIndex] == UInt8(ascii: ":")
    return hasScheme ? nil : start + 1..<end
  }

  private static func escaped(_ address: String) -> String {
    guard address.utf8.contains(where: { $0 == 0x26 || $0 == 0x22 || $0 == 0x27 }) else {
      return address
    }
    var output = ""
    for scalar in address.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
