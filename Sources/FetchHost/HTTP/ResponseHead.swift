import FetchModel
import FetchValues
import Glibc

/// The status and header fields of the final answer. The header fields of interim answers (1xx) are
/// left out.
struct ResponseHead {
  var status = 0
  var fields: [HTTPField] = []

  /// The maximum size in bytes of all header lines of one answer. Servers of feeds send 1 to 2 KB.
  static let bytesMax = 128 << 10
  static let fieldCountMax = 500
  /// The number of fields for which memory is reserved. Most answers have fewer.
  private static let fieldCountUsual = 16

  /// Parses the lines of a head. Nil if a status line is invalid, the last status is below 200, or
  /// the fields exceed `fieldCountMax`.
  init?(_ bytes: [UInt8]) {
    fields.reserveCapacity(Self.fieldCountUsual)
    let isHead = bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let end = Self.lineEnd(rest) {
        if !take(rest[..<end]) { return false }
        rest = rest[(end + 1)...]
      }
      return take(rest)
    }
    guard isHead, (200...999).contains(status) else { return nil }
  }

  private typealias Bytes = Slice<UnsafeRawBufferPointer>

  /// Returns the index of the first line feed; nil if there is none.
  private static func lineEnd(_ bytes: Bytes) -> Int? {
    guard let start = UnsafeRawBufferPointer(rebasing: bytes).baseAddress,
      let end = memchr(start, Int32(UInt8(ascii: "\n")), bytes.count)
    else { return nil }
    return bytes.startIndex + (UnsafeRawPointer(end) - start)
  }

  private mutating func take(_ line: Bytes) -> Bool {
    let hasReturn = line.last == UInt8(ascii: "\r")
    let line = UnsafeRawBufferPointer(rebasing: hasReturn ? line.dropLast() : line)
    guard let first = line.first else { return true }
    if first == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) {
      guard let status = Self.status(line) else { return false }
      self.status = status
      fields.removeAll(keepingCapacity: true)
      return true
    }
    if Self.isSpace(first) { return unfold(line) }
    guard fields.count < Self.fieldCountMax else { return false }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let name = Self.name(Self.trimmed(line, 0..<colon))
    let value = Self.trimmed(line, (colon + 1)..<line.count)
    fields.append(HTTPField(name, Self.value(value, of: name)))
    return true
  }

  /// Returns the status in a status line without its line break; nil if the line is invalid.
  static func status(_ line: UnsafeRawBufferPointer) -> Int? {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") }
    let version = line.drop(while: isSpace).prefix { !isSpace($0) }
    let code = line[version.endIndex...].drop(while: isSpace).prefix { !isSpace($0) }
    guard code.count == 3 else { return nil }
    return Int(String(decoding: code, as: UTF8.self))
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
    if isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
    return HTTPField.holdsValidator(name) ? HTTPField.validator(bytes) : text(bytes)
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

  /// Returns the name of a field in lower case.
  private static func name(_ bytes: UnsafeRawBufferPointer) -> String {
    guard isASCII(bytes) else { return text(bytes).asciiLowercased }
    return String(unsafeUninitializedCapacity: bytes.count) { room in
      for index in bytes.indices { room[index] = bytes[index].asciiLowercased }
      return bytes.count
    }
  }

  /// Decodes the bytes as UTF-8, or as Latin-1 if they are not valid UTF-8.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.allSatisfy { $0 < 0x80 }
  }
}
