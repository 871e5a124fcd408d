internal import Glibc

/// The reader of the text in elements of feeds.
enum FeedText {
  /// Returns the trimmed text with control characters read as windows-1252; nil if the text is
  /// empty.
  static func string(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.withUnsafeBytes { text in
      var start = 0
      var end = text.count
      while start < end, text[start] <= 0x20 { start += 1 }
      while end > start, text[end - 1] <= 0x20 { end -= 1 }
      guard start < end else { return nil }
      let trimmed = UnsafeRawBufferPointer(rebasing: text[start..<end])
      return hasControls(trimmed)
        ? withoutControls(trimmed) : String(decoding: trimmed, as: UTF8.self)
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

  /// Returns the text with the control characters U+0080 to U+009F read as windows-1252. Feeds
  /// write `&#150;` for the dash of windows-1252, in XML as in HTML.
  private static func withoutControls(_ text: UnsafeRawBufferPointer) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      let isControl = (0x80..<0xA0).contains(scalar.value)
      scalars.append(isControl ? UTF8Repair.upperControls[Int(scalar.value - 0x80)] : scalar)
    }
    return String(scalars)
  }
}
