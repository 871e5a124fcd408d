/// A text of a recording, in which secrets were replaced by a placeholder that stands for any text.
struct RecordedText {
  private let parts: [ArraySlice<UInt8>]

  init(_ text: String) { self.init(Array(text.utf8)) }

  init(_ bytes: [UInt8]) { parts = Self.parts(of: bytes) }

  func matches(_ text: String) -> Bool { matches(Array(text.utf8)) }

  func matches(_ bytes: [UInt8]) -> Bool {
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return parts.first.map { $0.elementsEqual(bytes) } ?? bytes.isEmpty
    }
    guard bytes.starts(with: first), bytes.count >= first.count + last.count,
      bytes.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = bytes[first.count..<bytes.count - last.count]
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  private static func parts(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while let range = rest.firstRange(of: RecordingRedactor.placeholderBytes) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }
}
