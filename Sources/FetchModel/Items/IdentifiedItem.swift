/// A parsed item with what it is recognised by and what it says.
package struct IdentifiedItem: Equatable, Sendable {
  package var item: ParsedItem
  /// Its key when nothing is known about the job yet.
  package var key: ItemKey
  package var fingerprint: Fingerprint
  /// Further keys under which the store may know it: when a source once gave one id to several
  /// items, they were told apart by these. Best first; not asked for unless `key` says nothing.
  package var alternates: [ItemKey] = []
}
