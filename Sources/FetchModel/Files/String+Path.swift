/// The parts of a path, which the system reads byte by byte. A slash beside a combining mark or a
/// joining sign is part of another `Character`, so a search for the `Character` "/" would miss the
/// slash.
extension String {
  private static let slash = UInt8(ascii: "/")

  package var isAbsolutePath: Bool { utf8.first == Self.slash }

  package var hasSlash: Bool { utf8.contains(Self.slash) }

  package var lastSlash: Index? { utf8.lastIndex(of: Self.slash) }

  /// The part up to and including the last slash; empty if there is no slash.
  package var folderPrefix: String {
    lastSlash.map { String(Substring(utf8[...$0])) } ?? ""
  }

  /// The part after the last slash; the whole string if there is no slash.
  package var lastName: String {
    lastSlash.map { String(Substring(utf8[utf8.index(after: $0)...])) } ?? self
  }

  /// The non-empty names between slashes.
  package var pathNames: [String] {
    utf8.split(separator: Self.slash).map { String(Substring($0)) }
  }
}
