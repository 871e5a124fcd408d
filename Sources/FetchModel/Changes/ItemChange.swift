/// One decided change of one item, to be stored.
package struct ItemChange: Equatable, Sendable {
  package var key: ItemKey
  package var kind: ChangeKind
  package var fingerprint: Fingerprint
  /// The item as it is now; nil for a removed one.
  package var item: ParsedItem?
}
