import FetchModel
import FetchValues

/// The status and header fields of the final answer. The header fields of interim answers (1xx) are
/// left out.
struct ResponseHead {
  var status = 0
  var fields: [HTTPField] = []

  /// The maximum size in bytes of all header lines of one answer. Servers of feeds send 1 to 2 KB.
  static let bytesMax = 128 << 10
  static let fieldCountMax = 500

  /// Parses the lines of a head. Nil if a status line is invalid, the last status is below 200, or
  /// the fields exceed `fieldCountMax`.
  init?(_ bytes: [UInt8]) {
    let isHead = bytes.withUnsafeBytes { bytes in
      var start = 0
      for end in bytes.indices where bytes[end] == UInt8(ascii: "\n") {
        if !take(bytes[start..<end]) { return false }
        start = end + 1
      }
      return take(bytes[start...])
    }
    guard isHead, (200...999).contains(status) else { return nil }
  }

  private typealias Bytes = Slice<UnsafeRawBufferPointer>

  private mutating func take(_ line: Bytes) -> Bool {
    let hasReturn = line.last == UInt8(ascii: "\r")
    let line = UnsafeRawBufferPointer(rebasing: hasReturn ? line.dropLast() : line)
    guard let first = line.first else { return true }
    if first == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) {
      guard let status = Self.status(line) else { return false }
      self.status = status
      fields = []
      return true
    }
    if Self.isSpace(first) { return unfold(line) }
    guard fields.count < Self.fieldCountMax else { return false }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let name = Self.text(Self.trimmed(line, 0..<colon), turned: Self.lowercased)
    let value = Self.trimmed(line, (colon + 1)..<line.count)
    fields.append(HTTPField(name, Self.value(value, of: name)))
    return true
  }

  static func status(_ line: some Collection<UInt8>) -> Int? {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard parts.count >= 2, parts[1].count == 3 else { return nil }
    return Int(String(decoding: parts[1], as: UTF8.self))
  }

  /// Appends a folded line to the previous field (RFC 9112 section 5.2).
  private mutating func unfold(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let last = fields.indices.last else { return true }
    let value = Self.trimmed(line, line.indices)
    fields[last].value += " " + Self.value(value, of: fields[last].name)
    return true
  }

  /// Returns the value of a field as a string. A validator with bytes beyond ASCII is decoded by
  /// `HTTPField.validator`.
  private static func value(_ bytes: UnsafeRawBufferPointer, of name: String) -> String {
    guard HTTPField.holdsValidator(name), bytes.contains(where: { $0 >= 0x80 }) else {
      return text(bytes)
    }
    return HTTPField.validator(bytes)
  }

  /// Returns a part of a line without the spaces at its ends.
  private static func trimmed(
    _ line: UnsafeRawBufferPointer, _ part: Range<Int>
  ) -> UnsafeRawBufferPointer {
    var (start, end) = (part.lowerBound, part.upperBound)
    while start < end, isSpace(line[start]) { start += 1 }
    while start < end, isSpace(line[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: line[start..<end])
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Applies `turned` to each byte, and decodes the result as UTF-8, or as Latin-1 if it is not
  /// valid UTF-8.
  @inline(__always) private static func text(
    _ bytes: UnsafeRawBufferPointer, turned: (UInt8) -> UInt8 = { $0 }
  ) -> String {
    let isASCII = bytes.allSatisfy { $0 < 0x80 }
    let text = String(unsafeUninitializedCapacity: isASCII ? bytes.count : 0) { room in
      guard isASCII else { return 0 }
      for index in bytes.indices { room[index] = turned(bytes[index]) }
      return bytes.count
    }
    return isASCII ? text : self.text(bytes.map(turned))
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
