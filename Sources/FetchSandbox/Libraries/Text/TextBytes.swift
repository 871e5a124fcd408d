import FetchValues

/// Functions on text that is usually, but not always, UTF-8.
enum TextBytes {
  /// Returns the length in bytes of the white space at `index` (ASCII white space or U+00A0); 0 if
  /// there is no white space.
  static func spaceLength(_ text: UnsafeRawBufferPointer, at index: Int) -> Int {
    switch text[index] {
    case 0x20, 0x09...0x0D: 1
    case 0xC2 where index + 1 < text.count && text[index + 1] == 0xA0: 2
    default: 0
    }
  }

  static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = 0
    var end = text.count
    while start < end {
      let length = spaceLength(text, at: start)
      if length == 0 { break }
      start += length
    }
    while end > start {
      if spaceLength(text, at: end - 1) == 1 {
        end -= 1
      } else if end - start >= 2, spaceLength(text, at: end - 2) == 2 {
        end -= 2
      } else {
        break
      }
    }
    return UnsafeRawBufferPointer(rebasing: text[start..<max(start, end)])
  }

  static func collapsed(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = 0
    var isPending = false
    while index < text.count {
      let length = spaceLength(text, at: index)
      if length > 0 {
        isPending = !output.isEmpty
        index += length
        continue
      }
      if isPending { output.append(0x20) }
      isPending = false
      output.append(text[index])
      index += 1
    }
    return output
  }

  /// Returns the first place of `needle` at or after `start`; nil if `needle` is empty or does not
  /// occur there. The time is linear in both lengths, even for repetitive texts.
  static func firstIndex(
    of needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    guard let first = needle.first else { return nil }
    if needle.count == 1 { return text[start...].firstIndex(of: first) }
    return ByteSearch(needle).firstIndex(in: text, from: start)
  }

  /// Shortens a text to at most `count` characters, including `ending`. A character is an extended
  /// grapheme cluster of Unicode.
  static func truncated(_ text: String, to count: Int, ending: String) -> String {
    guard text.utf8.count > count else { return text }
    guard let end = text.index(text.startIndex, offsetBy: count, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    let kept = max(0, count - ending.count)
    let cut = text.prefix(kept)
    return String(cut) + ending.prefix(count - cut.count)
  }
}
