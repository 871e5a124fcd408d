/// Paths as the system reads them, byte by byte. A slash is one `Character` with a combining mark
/// behind it, or with a sign before it that belongs to what follows: a search for "/" passes over it.
extension String {
  private static let slash = UInt8(ascii: "/")

  package var isAbsolutePath: Bool { utf8.first == Self.slash }

  package var hasSlash: Bool { utf8.contains(Self.slash) }

  package var lastSlash: Index? { utf8.lastIndex(of: Self.slash) }

  /// What stands before the last slash, with that; empty where there is none.
  package var folderPrefix: String {
    lastSlash.map { String(Substring(utf8[...$0])) } ?? ""
  }

  /// What stands behind the last slash.
  package var lastName: String {
    lastSlash.map { String(Substring(utf8[utf8.index(after: $0)...])) } ?? self
  }

  /// What stands between slashes; what is empty is left out.
  package var pathNames: [String] {
    utf8.split(separator: Self.slash).map { String(Substring($0)) }
  }
}
