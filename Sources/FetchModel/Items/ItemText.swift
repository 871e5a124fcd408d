import FetchValues

/// The rules for the texts of an item that have a form of their own. A text in another form is
/// stored unchanged, but few readers can use it.
package enum ItemText {
  /// Whether the text is a time or a day in RFC 3339.
  package static func isDate(_ text: String) -> Bool {
    Timestamp(rfc3339: text) != nil || Timestamp(rfc3339: text + "T00:00:00Z") != nil
  }

  /// Whether the text may be an absolute or relative address (RFC 3986, 4.1). The result is false
  /// only for a text that has blanks inside and does not begin with a scheme.
  package static func mayBeAddress(_ text: String) -> Bool {
    let words = text.utf8.split { $0 <= 0x20 }
    guard words.count > 1, let first = words.first else { return true }
    let scheme = first.prefix { $0 != UInt8(ascii: ":") }
    return scheme.count < first.count && scheme.first.map(ByteSet.letters.contains) == true
  }
}
