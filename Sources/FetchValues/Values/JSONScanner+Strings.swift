extension JSONScanner {
  /// Scans the string whose opening quote is at the cursor.
  mutating func scanString() throws(Fault) {
    let start = cursor &+ 1
    var isASCII = true
    let end = plainEnd(from: start, isASCII: &isASCII)
    guard end < text.count else { throw fault(.endInString, at: text.count) }
    guard text[end] == UInt8(ascii: "\"") else {
      return try scanEscapedString(from: start, firstStop: end, isASCII: isASCII)
    }
    if !isASCII { try checkUTF8(start..<end) }
    let count = end &- start
    reserve(count &+ 5)
    if count < 256 {
      put(ValueTag.shortString)
      put(UInt8(truncatingIfNeeded: count))
    } else {
      put(ValueTag.string)
      put(UInt32(truncatingIfNeeded: count))
    }
    put(start..<end)
    cursor = end &+ 1
  }

  /// Returns the offset of the first quote, backslash or byte below 0x20, at `start` or later;
  /// otherwise the end of the text. The function tests eight bytes at once while eight are left. It
  /// uses only the lowest flagged byte, because a borrow can flag the bytes above it by mistake.
  @inline(__always)
  private func plainEnd(from start: Int, isASCII: inout Bool) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var index = start
    while index &+ 8 <= text.count {
      let word = UInt64(
        littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let quotes = word ^ (ones &* 0x22)
      let backslashes = word ^ (ones &* 0x5C)
      let stops =
        ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        | ((word &- (ones &* 0x20)) & ~word)
      let flagged = stops & highs
      if flagged != 0 {
        let bits = flagged.trailingZeroBitCount & ~7
        if word & highs & ((1 &<< UInt64(bits)) &- 1) != 0 { isASCII = false }
        return index &+ bits / 8
      }
      if word & highs != 0 { isASCII = false }
      index &+= 8
    }
    while index < text.count {
      let byte = text[index]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
      if byte >= 0x80 { isASCII = false }
      index &+= 1
    }
    return index
  }

  private mutating func scanEscapedString(
    from start: Int, firstStop: Int, isASCII firstIsASCII: Bool
  ) throws(Fault) {
    let head = outputOffset
    var segment = start
    var stop = firstStop
    var isASCII = firstIsASCII
    reserve(5)
    put(ValueTag.string)
    put(UInt32(0))
    while true {
      guard stop < text.count else { throw fault(.endInString, at: text.count) }
      if !isASCII { try checkUTF8(segment..<stop) }
      reserve(stop &- segment &+ 4)
      put(segment..<stop)
      cursor = stop
      if text[stop] == UInt8(ascii: "\"") { break }
      guard text[stop] == UInt8(ascii: "\\") else { throw fault(.controlInString(text[stop])) }
      try scanEscape()
      segment = cursor
      isASCII = true
      stop = plainEnd(from: segment, isASCII: &isASCII)
    }
    patchLength(at: head)
    cursor &+= 1
  }

  /// Scans one escape sequence. The output must have room for four more bytes.
  private mutating func scanEscape() throws(Fault) {
    guard cursor &+ 1 < text.count else { throw fault(.endInString, at: text.count) }
    switch text[cursor &+ 1] {
    case UInt8(ascii: "\""): put(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): put(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): put(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): put(UInt8(0x08))
    case UInt8(ascii: "f"): put(UInt8(0x0C))
    case UInt8(ascii: "n"): put(UInt8(0x0A))
    case UInt8(ascii: "r"): put(UInt8(0x0D))
    case UInt8(ascii: "t"): put(UInt8(0x09))
    case UInt8(ascii: "u"): return try scanUnicodeEscape()
    default: throw fault(.unknownEscape)
    }
    cursor &+= 2
  }

  private mutating func scanUnicodeEscape() throws(Fault) {
    guard let unit = hexUnit(at: cursor) else { throw fault(.badUnicodeEscape) }
    cursor &+= 6
    guard unit & 0xF800 == 0xD800 else { return put(scalar: unit) }
    guard unit < 0xDC00, let low = hexUnit(at: cursor), low & 0xFC00 == 0xDC00 else {
      return put(scalar: 0xFFFD)
    }
    cursor &+= 6
    put(scalar: 0x10000 &+ ((unit & 0x3FF) &<< 10 | (low & 0x3FF)))
  }

  /// Returns the number in the escape `\uXXXX` at `offset`; nil if there is no such escape.
  private func hexUnit(at offset: Int) -> UInt32? {
    guard text.count &- offset >= 6, text[offset] == UInt8(ascii: "\\"),
      text[offset &+ 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for index in 2..<6 {
      guard let digit = text[offset &+ index].hexDigitValue else { return nil }
      unit = unit &<< 4 | UInt32(digit)
    }
    return unit
  }

  private mutating func put(scalar: UInt32) {
    func tail(_ shift: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: 0x80 | (scalar &>> shift & 0x3F))
    }
    switch scalar {
    case 0..<0x80:
      put(UInt8(truncatingIfNeeded: scalar))
    case 0x80..<0x800:
      put(UInt8(truncatingIfNeeded: 0xC0 | scalar &>> 6))
      put(tail(0))
    case 0x800..<0x10000:
      put(UInt8(truncatingIfNeeded: 0xE0 | scalar &>> 12))
      put(tail(6))
      put(tail(0))
    default:
      put(UInt8(truncatingIfNeeded: 0xF0 | scalar &>> 18))
      put(tail(12))
      put(tail(6))
      put(tail(0))
    }
  }

  private func checkUTF8(_ range: Range<Int>) throws(Fault) {
    let bytes = UnsafeRawBufferPointer(rebasing: text[range])
    if let offset = UTF8Check.firstInvalid(in: bytes) {
      throw fault(.notUTF8(bytes[offset]), at: range.lowerBound &+ offset)
    }
  }
}

extension UInt8 {
  /// The value of an ASCII hexadecimal digit in upper or lower case; nil for other bytes.
  package var hexDigitValue: UInt8? {
    switch self {
    case 0x30...0x39: self &- 0x30
    case 0x41...0x46: self &- 0x37
    case 0x61...0x66: self &- 0x57
    default: nil
    }
  }
}
