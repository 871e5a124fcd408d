/// The ranges of the five components in the bytes of a URL reference (RFC 3986 appendix B). Every
/// text can be split, because only the characters of the scheme are checked.
struct URLSplit {
  var scheme: Range<Int>?
  var authority: Range<Int>?
  var path: Range<Int>
  var query: Range<Int>?
  var fragment: Range<Int>?

  init(_ bytes: [UInt8]) {
    var start = 0
    var end = bytes.count
    if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
      fragment = hash + 1..<end
      end = hash
    }
    if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
      query = mark + 1..<end
      end = mark
    }
    if let colon = Self.schemeEnd(bytes[..<end]) {
      scheme = 0..<colon
      start = colon + 1
    }
    path = start..<end
    if bytes[path].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
      takeAuthority(bytes, from: start + 2)
    }
  }

  /// Reads the authority that begins at `start` inside the path. The path then begins after the
  /// authority.
  mutating func takeAuthority(_ bytes: [UInt8], from start: Int) {
    let rest = start..<path.upperBound
    let slash = bytes[rest].firstIndex(of: UInt8(ascii: "/")) ?? rest.upperBound
    authority = start..<slash
    path = slash..<rest.upperBound
  }

  /// Returns the index of the colon after a valid scheme; nil if there is no valid scheme.
  private static func schemeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first, ByteSet.letters.contains(first) else { return nil }
    guard let end = bytes.firstIndex(where: { !ByteSet.scheme.contains($0) }) else { return nil }
    return bytes[end] == UInt8(ascii: ":") ? end : nil
  }
}
