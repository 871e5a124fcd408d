/// Paths as the system reads them, byte by byte. A slash with a combining mark after it, or a
/// joining sign before it, is a different `Character`, which a search for "/" misses.
extension String {
  private static let slash = UInt8(ascii: "/")

  package var isAbsolutePath: Bool { utf8.first == Self.slash }

  package var hasSlash: Bool { utf8.contains(Self.slash) }

  package var lastSlash: Index? { utf8.lastIndex(of: Self.slash) }

  /// The part up to and including the last slash; empty without one.
  package var folderPrefix: String {
    lastSlash.map { String(Substring(utf8[...$0])) } ?? ""
  }

  /// The part after the last slash.
  package var lastName: String {
    lastSlash.map { String(Substring(utf8[utf8.index(after: $0)...])) } ?? self
  }

  /// The non-empty names between slashes.
  package var pathNames: [String] {
    utf8.split(separator: Self.slash).map { String(Substring($0)) }
  }
}
