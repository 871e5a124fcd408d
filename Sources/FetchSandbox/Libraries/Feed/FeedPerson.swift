/// A person that a feed names.
package struct FeedPerson: Equatable, Sendable {
  package var name: String?
  package var email: String?
  package var url: String?

  var isEmpty: Bool { name == nil && email == nil && url == nil }

  package init(name: String? = nil, email: String? = nil, url: String? = nil) {
    self.name = name
    self.email = email
    self.url = url
  }

  /// Reads `a@example.org (Name)`, `Name <a@example.org>`, a lone address or a lone name.
  init(line: String) {
    let text = line.utf8.drop { ASCII.isBlank($0) }
    guard let at = text.firstIndex(of: UInt8(ascii: "@")) else {
      name = Self.plain(text)
      return
    }
    func isAddress(_ byte: UInt8) -> Bool {
      byte > 0x20 && !"()<>,;:\"".utf8.contains(byte)
    }
    var from = at
    while from > text.startIndex, isAddress(text[text.index(before: from)]) {
      from = text.index(before: from)
    }
    let to = text[at...].firstIndex { !isAddress($0) } ?? text.endIndex
    let address = text[from..<to]
    guard from < at, address.count > text.distance(from: from, to: at) + 1 else {
      name = Self.plain(text)
      return
    }
    email = String(decoding: address, as: UTF8.self)
    var rest = Array(text[..<from])
    if rest.count >= 7, String(decoding: rest.suffix(7), as: UTF8.self).lowercased() == "mailto:" {
      rest.removeLast(7)
    }
    name = Self.plain(rest + [0x20] + Array(text[to...]))
  }

  /// Returns the text without surrounding brackets and blanks.
  private static func plain(_ text: some BidirectionalCollection<UInt8>) -> String? {
    func isFrame(_ byte: UInt8) -> Bool { ASCII.isBlank(byte) || "()<>\"".utf8.contains(byte) }
    guard let first = text.firstIndex(where: { !isFrame($0) }),
      let last = text.lastIndex(where: { !isFrame($0) })
    else { return nil }
    // A name that ends in brackets, such as `Jan (Berlin)`, keeps these brackets.
    var end = text.index(after: last)
    let hasOpen = text[first...last].contains(UInt8(ascii: "("))
    if hasOpen, end < text.endIndex, text[end] == UInt8(ascii: ")") { end = text.index(after: end) }
    return String(decoding: text[first..<end], as: UTF8.self)
  }
}
