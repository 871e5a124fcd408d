package import FetchModel
package import FetchValues

/// The conversion of rows of the table `grants` into grants. The grants of hooks are in the ledger.
package enum GrantRow {
  /// The columns in the order in which `grant` reads them.
  package static let columns =
    "grants.plugin, grants.hash, grants.asked, grants.granted_at, grants.source"

  /// Returns the grant in the columns from `first` on; nil if the name, the hash or the source is
  /// NULL, or if the source is unknown.
  package static func grant(_ row: some StoreRow, from first: Int32) -> PinnedGrant? {
    guard let plugin = row.text(first), let hash = row.bytes(first + 1),
      let source = row.text(first + 4).flatMap(PinnedGrant.Source.init)
    else { return nil }
    return PinnedGrant(
      plugin: plugin, hash: hash, text: row.text(first + 2) ?? "", at: row.time(first + 3),
      source: source)
  }

  /// Returns the name of a hook's grant in the ledger.
  package static func name(ofHook hook: HookName) -> String { "grant of hook \(hook)" }

  /// Returns the grant under the given name. If there is none, returns the grant that
  /// `GrantName.grant` selects; nil if it selects none.
  package static func selected(_ plugin: String, among grants: [PinnedGrant]) -> PinnedGrant? {
    grants.first { ExactText($0.plugin) == ExactText(plugin) }
      ?? GrantName.grant(of: plugin, among: grants)
  }

  /// Returns the grant of a hook from the ledger's content. A grant under another name is adapted
  /// with `GrantName.grant`. If that function returns nil, the grant is returned unchanged. Returns
  /// nil if the content cannot be read.
  package static func grant(_ content: [UInt8], plugin: String) -> PinnedGrant? {
    guard let grant = (try? Value(encoded: content)).flatMap(PinnedGrant.init) else { return nil }
    if ExactText(grant.plugin) == ExactText(plugin) { return grant }
    return GrantName.grant(of: plugin, among: [grant]) ?? grant
  }
}
