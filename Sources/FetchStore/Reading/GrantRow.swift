internal import FetchModel

/// Rows of `grants` as grants.
enum GrantRow {
  /// In the order of `grant`.
  static let columns =
    "grants.plugin, grants.hash, grants.asked, grants.granted_at, grants.source"

  /// From that column on; nil where there is no row, or one that no fetchrun wrote.
  static func grant(_ row: SQLStatement, from first: Int32) -> PinnedGrant? {
    guard let plugin = row.text(first), let hash = row.bytes(first + 1),
      let source = row.text(first + 4).flatMap(PinnedGrant.Source.init)
    else { return nil }
    return PinnedGrant(
      plugin: plugin, hash: hash, text: row.text(first + 2) ?? "", at: row.time(first + 3),
      source: source)
  }
}
