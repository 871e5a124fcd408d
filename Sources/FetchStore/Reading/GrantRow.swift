internal import FetchModel
internal import GRDB

/// Rows of `grants` as grants; those of hooks, which are few, stand in the ledger.
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

  /// The name in the ledger.
  static func name(ofHook hook: String) -> String { "grant of hook \(hook)" }

  /// Nil where there is none, or one that no fetchrun wrote.
  static func grant(ofHook hook: String, _ db: Database) throws -> PinnedGrant? {
    let row = try SQLStatement(db, "SELECT content FROM ledger WHERE name = ?")
    row.bind(1, name(ofHook: hook))
    defer { row.reset() }
    guard try row.step(), let content = row.bytes(0) else { return nil }
    return (try? Value(encoded: content)).flatMap(PinnedGrant.init)
  }
}
