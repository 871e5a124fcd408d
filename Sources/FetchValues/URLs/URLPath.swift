/// The removal of `.` and `..` segments from paths (RFC 3986 section 5.2.4).
enum URLPath {
  /// Returns a path without its dot segments. The path must begin with `/`. A `..` at the root is
  /// dropped. The escape `%2e` counts as a dot (section 6.2.2.2).
  static func removeDotSegments(_ path: some Collection<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(path.count)
    var rest = path[...]
    while rest.first == UInt8(ascii: "/") {
      rest = rest.dropFirst()
      let segment = rest.prefix { $0 != UInt8(ascii: "/") }
      rest = rest[segment.endIndex...]
      switch dots(segment) {
      case 1: if rest.isEmpty { output.append(UInt8(ascii: "/")) }
      case 2:
        if let slash = output.lastIndex(of: UInt8(ascii: "/")) {
          output.removeSubrange(slash...)
        }
        if rest.isEmpty { output.append(UInt8(ascii: "/")) }
      default:
        output.append(UInt8(ascii: "/"))
        output.append(contentsOf: segment)
      }
    }
    return output
  }

  /// Returns 1 for the segment `.` and 2 for the segment `..`, even if their dots are escaped as
  /// `%2e`. Returns 0 for every other segment.
  private static func dots(_ segment: some Collection<UInt8>) -> Int {
    guard segment.count <= 6 else { return 0 }
    var count = 0
    var rest = segment[...]
    while let first = rest.first {
      if first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
      } else if first == UInt8(ascii: "%"), rest.dropFirst().first == UInt8(ascii: "2"),
        let digit = rest.dropFirst(2).first, digit | 0x20 == UInt8(ascii: "e")
      {
        rest = rest.dropFirst(3)
      } else {
        return 0
      }
      count += 1
    }
    return count <= 2 ? count : 0
  }
}
