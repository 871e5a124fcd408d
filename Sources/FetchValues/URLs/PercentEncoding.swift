/// The percent-encoding of one component of a URL, byte by byte (RFC 3986 section 2.1).
package enum PercentEncoding {
  /// Encodes every byte that is not in `kept` as `%XX`. If `kept` has only the unreserved
  /// characters, the result can be used in a path segment, a query or a fragment.
  package static func encode(
    _ bytes: some Sequence<UInt8>, keeping kept: ByteSet = .unreserved
  ) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.underestimatedCount)
    for byte in bytes {
      if kept.contains(byte) { encoded.append(byte) } else { encoded.appendEscape(byte) }
    }
    return encoded
  }

  package static func encode(_ text: String, keeping kept: ByteSet = .unreserved) -> String {
    String(decoding: encode(text.utf8, keeping: kept), as: UTF8.self)
  }

  /// Returns the decoded bytes, which need not be UTF-8. A `%` that is not followed by two
  /// hexadecimal digits stays unchanged.
  package static func decode(
    _ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false
  ) -> [UInt8] {
    let source = Array(bytes)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      if let byte = source.escapedByte(at: index) {
        decoded.append(byte)
        index += 3
      } else {
        let byte = source[index]
        decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return decoded
  }

  /// Decodes the escapes of unreserved characters, and changes the digits of all other escapes to
  /// upper case (RFC 3986 sections 6.2.2.1 and 6.2.2.2).
  package static func normalize(_ text: String) -> String {
    let source = Array(text.utf8)
    var normal: [UInt8] = []
    normal.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      if let byte = source.escapedByte(at: index) {
        if ByteSet.unreserved.contains(byte) {
          normal.append(byte)
        } else {
          normal.appendEscape(byte)
        }
        index += 3
      } else {
        normal.append(source[index])
        index += 1
      }
    }
    return String(decoding: normal, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate func escapedByte(at index: Int) -> UInt8? {
    guard self[index] == UInt8(ascii: "%"), count - index >= 3,
      let high = self[index + 1].hexDigitValue, let low = self[index + 2].hexDigitValue
    else { return nil }
    return high << 4 | low
  }

  /// Appends `%XX` with upper-case digits (RFC 3986 section 2.1).
  mutating func appendEscape(_ byte: UInt8) {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
    append(UInt8(ascii: "%"))
    append(digit(byte >> 4))
    append(digit(byte & 15))
  }
}
