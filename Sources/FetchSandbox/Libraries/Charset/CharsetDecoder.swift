import CWorker

/// The converter of text to UTF-8, the only encoding that the parsers read.
///
/// ICU converts most encodings. libxml2 needs ICU, so ICU is loaded when the process starts, before
/// the worker loses its access to files. glibc's iconv would have to open files later. Invalid
/// input becomes U+FFFD, but an incomplete code unit at the end of UTF-16 or UTF-32 is dropped.
/// Time and memory are linear in the input.
enum CharsetDecoder {
  /// Returns the text in UTF-8; nil if ICU does not support the encoding. Invalid UTF-8 is repaired
  /// by `UTF8Repair`.
  static func utf8(
    _ bytes: UnsafeRawBufferPointer, from encoding: CharacterEncoding
  ) -> [UInt8]? {
    switch encoding {
    case .utf8: UTF8Repair.repaired(bytes)
    case .utf16LittleEndian: utf16(bytes) { UInt16($0) | UInt16($1) << 8 }
    case .utf16BigEndian: utf16(bytes) { UInt16($1) | UInt16($0) << 8 }
    case .utf32LittleEndian: utf32(bytes, bigEndian: false)
    case .utf32BigEndian: utf32(bytes, bigEndian: true)
    case .iso8859Part16: iso8859Part16(bytes)
    case .other(let name): throughICU(bytes, name, keepsPrivateUse: encoding.hasPrivateUse)
    }
  }

  static func canDecode(_ encoding: CharacterEncoding) -> Bool {
    utf8(UnsafeRawBufferPointer(start: nil, count: 0), from: encoding) != nil
  }

  private static func utf16(
    _ bytes: UnsafeRawBufferPointer, _ unit: (UInt8, UInt8) -> UInt16
  ) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      units.append(unit(bytes[index], bytes[index + 1]))
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func utf32(_ bytes: UnsafeRawBufferPointer, bigEndian: Bool) -> [UInt8] {
    var text = String.UnicodeScalarView()
    for index in stride(from: 0, to: bytes.count - 3, by: 4) {
      let raw = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      let value = bigEndian ? UInt32(bigEndian: raw) : UInt32(littleEndian: raw)
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    return Array(String(text).utf8)
  }

  /// Decodes ISO-8859-16, which ICU lacks.
  private static func iso8859Part16(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      text.append(byte < 0xA0 ? Unicode.Scalar(byte) : part16Letters[Int(byte &- 0xA0)])
    }
    return Array(String(text).utf8)
  }

  private static let part16Letters: [Unicode.Scalar] = Array(
    ("\u{A0}ĄąŁ€„Š§š©Ș«Ź\u{AD}źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚß"
      + "àáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ").unicodeScalars)

  private static let chunkUnits = 4096

  /// Replaces private-use characters with U+FFFD, as the Encoding Standard requires. ICU writes
  /// such characters for unassigned bytes in East Asian and Thai encodings.
  private static func dropPrivateUse(_ units: UnsafeMutableBufferPointer<UInt16>) {
    for index in units.indices where (0xE000...0xF8FF).contains(units[index]) {
      units[index] = 0xFFFD
    }
  }

  private static func throughICU(
    _ bytes: UnsafeRawBufferPointer, _ name: String, keepsPrivateUse: Bool
  ) -> [UInt8]? {
    guard let converter = icu_open_converter(name) else { return nil }
    defer { icu_close_converter(converter) }
    guard var from = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return [] }
    let end = from + bytes.count
    var output = String()
    output.reserveCapacity(bytes.count + bytes.count / 2)
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: chunkUnits) { chunk in
      guard let start = chunk.baseAddress else { return }
      var kept = 0
      var hasMore = true
      while hasMore {
        let count =
          kept
          + icu_to_utf16(converter, &from, end, start + kept, chunkUnits - kept, &hasMore)
        if !keepsPrivateUse {
          dropPrivateUse(UnsafeMutableBufferPointer(start: start, count: count))
        }
        // If the chunk would end inside a surrogate pair, leaves the whole pair for the next chunk.
        let isCut = hasMore && count > 1 && start[count - 1] & 0xFC00 == 0xD800
        kept = isCut ? 1 : 0
        output += String(
          decoding: UnsafeBufferPointer(start: start, count: count - kept), as: UTF16.self)
        if isCut { start[0] = start[count - 1] }
      }
    }
    return Array(output.utf8)
  }
}
