internal import FetchModel
import FetchStore
internal import FetchValues
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

  /// What a job's plugin was granted, by the name of its grants; nil where there is nothing that
  /// was granted to its file by any name.
  static func grant(of job: String, plugin: String, _ db: Database) throws -> PinnedGrant? {
    let grants = try grants(of: job, db)
    return grants.first { ExactText($0.plugin) == ExactText(plugin) }
      ?? GrantName.grant(of: plugin, among: grants)
  }

  /// What all plugins of a job were granted, the latest first.
  static func grants(of job: String, _ db: Database) throws -> [PinnedGrant] {
    let row = try SQLStatement(
      db,
      """
      SELECT \(columns) FROM grants JOIN jobs ON jobs.id = grants.job
      WHERE jobs.name = ? ORDER BY grants.granted_at DESC, grants.plugin
      """)
    row.bind(1, job)
    var grants: [PinnedGrant] = []
    while try row.step() {
      if let grant = grant(row, from: 0) { grants.append(grant) }
    }
    return grants
  }

  /// The name in the ledger.
  static func name(ofHook hook: String) -> String { "grant of hook \(hook)" }

  /// By the name of its file's grants, where it was granted to that file by another name. Nil where
  /// there is none, or one that no fetchrun wrote.
  static func grant(
    ofHook hook: String, plugin: String, _ db: Database
  ) throws -> PinnedGrant? {
    guard let grant = try grant(ofHook: hook, db) else { return nil }
    if ExactText(grant.plugin) == ExactText(plugin) { return grant }
    return GrantName.grant(of: plugin, among: [grant]) ?? grant
  }

  private static func grant(ofHook hook: String, _ db: Database) throws -> PinnedGrant? {
    let row = try SQLStatement(db, "SELECT content FROM ledger WHERE name = ?")
    row.bind(1, name(ofHook: hook))
    defer { row.reset() }
    guard try row.step(), let content = row.bytes(0) else { return nil }
    return (try? Value(encoded: content)).flatMap(PinnedGrant.init)
  }
}
