/// The components of a link with every character escaped that must be, and nothing else changed
/// (the URL Standard's percent-encode sets).
struct EncodedLink {
  var authority: ArraySlice<UInt8>?
  var path: [UInt8]
  var query: String?
  var fragment: String?

  /// `isSpecial`: the scheme is one of those in which `\` separates path segments too.
  init(_ bytes: [UInt8], _ split: URLSplit, isSpecial: Bool) {
    authority = split.authority.map { bytes[$0] }
    let isOpaque =
      !isSpecial && split.scheme != nil && split.authority == nil
      && bytes[split.path].first != UInt8(ascii: "/")
    path = Self.escaped(bytes[split.path], isOpaque ? Self.inOpaquePath : Self.inPath)
    if isSpecial {
      let startsWithTwo = bytes[split.path].prefix(2).allSatisfy {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
      }
      // `\\host` is a host for some and a path for others: it stays an escaped path.
      if startsWithTwo && authority == nil
        && bytes[split.path].prefix(2).contains(UInt8(ascii: "\\"))
      {
        path = Self.escaped(bytes[split.path], Self.inPath.union(ByteSet("\\")))
      } else {
        path = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      }
    }
    let inQuery = isSpecial ? Self.inQuery.union(ByteSet("'")) : Self.inQuery
    query = split.query.map { String(decoding: Self.escaped(bytes[$0], inQuery), as: UTF8.self) }
    fragment = split.fragment.map {
      String(decoding: Self.escaped(bytes[$0], Self.inFragment), as: UTF8.self)
    }
  }

  /// A user's name or password.
  static func user(_ text: String) -> String {
    String(decoding: escaped(Array(text.utf8)[...], inUser), as: UTF8.self)
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>, _ set: ByteSet) -> [UInt8] {
    guard bytes.contains(where: { set.contains($0) || $0 < 0x20 || $0 >= 0x7F }) else {
      return Array(bytes)
    }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + 16)
    for byte in bytes {
      if set.contains(byte) || byte < 0x20 || byte >= 0x7F {
        output.appendEscape(byte)
      } else {
        output.append(byte)
      }
    }
    return output
  }

  private static let inOpaquePath = ByteSet("")
  private static let inFragment = ByteSet(" \"<>`")
  private static let inQuery = ByteSet(" \"#<>")
  private static let inPath = inQuery.union(ByteSet("?^`{}"))
  private static let inUser = inPath.union(ByteSet("/:;=@[\\]|"))
}
