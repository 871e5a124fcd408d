import FetchModel

/// The status and header fields of the final answer, from the bytes libcurl hands over line by
/// line: interim answers (1xx) come before it, trailers after it.
struct ResponseHead {
  var status = 0
  var fields: [HTTPField] = []

  /// All header lines of one answer, and their number. Feeds send 1 to 2 KB.
  static let bytesMax = 128 << 10
  static let fieldCountMax = 500

  /// nil when the lines are no head of an answer.
  init?(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if text.isEmpty { continue }
      if text.starts(with: "HTTP/".utf8) {
        guard let status = Self.status(text) else { return nil }
        self.status = status
        fields = []
      } else if !take(text) {
        return nil
      }
    }
    guard (200...999).contains(status) else { return nil }
  }

  static func status(_ line: ArraySlice<UInt8>) -> Int? {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard parts.count >= 2, parts[1].count == 3 else { return nil }
    return Int(String(decoding: parts[1], as: UTF8.self))
  }

  private mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
    if let first = line.first, first == 0x20 || first == 0x09 { return unfold(line) }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), fields.count < Self.fieldCountMax
    else { return fields.count < Self.fieldCountMax }
    let name = Self.text(Self.trimmed(line[..<colon]).map(Self.lowercased)[...])
    fields.append(HTTPField(name, Self.text(Self.trimmed(line[(colon + 1)...]))))
    return true
  }

  /// RFC 9112 section 5.2: a line that begins with space goes on with the one before.
  private mutating func unfold(_ line: ArraySlice<UInt8>) -> Bool {
    guard let last = fields.indices.last else { return true }
    fields[last].value += " " + Self.text(Self.trimmed(line))
    return true
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return rest
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// UTF-8, or Latin-1 where it is not (RFC 9110 section 5.5's history).
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
