/// The reader of the names of elements and attributes (XML 1.0, fifth edition).
enum XMLName {
  /// Returns the end of the name at `start`, or `start` if there is no name. A name has at most one
  /// colon, with a name on both sides of it (Namespaces in XML 1.0).
  static func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    let prefix = plainEnd(in: text, from: start)
    guard prefix > start, prefix < text.count, text[prefix] == UInt8(ascii: ":") else {
      return prefix
    }
    let local = plainEnd(in: text, from: prefix + 1)
    return local > prefix + 1 ? local : prefix
  }

  private static func plainEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var end = start
    while end < text.count {
      let byte = text[end]
      if ASCII.isLetter(byte) || byte == UInt8(ascii: "_") {
        end += 1
      } else if byte >= 0x80 {
        guard let (scalar, length) = scalar(in: text, at: end),
          isStart(scalar) || end > start && isInside(scalar)
        else { break }
        end += length
      } else if end > start, ASCII.isDigit(byte) || byte == 0x2D || byte == 0x2E {
        end += 1
      } else {
        break
      }
    }
    return end
  }

  /// Returns the non-ASCII character at `place` and its length in bytes; nil if the bytes do not
  /// form a character.
  private static func scalar(
    in text: UnsafeRawBufferPointer, at place: Int
  ) -> (Unicode.Scalar, Int)? {
    let length = text[place] >= 0xF0 ? 4 : text[place] >= 0xE0 ? 3 : 2
    guard text[place] >= 0xC2, place + length <= text.count else { return nil }
    var value = UInt32(text[place]) & (0xFF >> UInt32(length + 1))
    for byte in text[place + 1..<place + length] {
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return Unicode.Scalar(value).map { ($0, length) }
  }

  private static func isStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    default: false
    }
  }

  private static func isInside(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: false
    }
  }
}
