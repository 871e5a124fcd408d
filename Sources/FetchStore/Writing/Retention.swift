/// How much a store keeps. `nil` keeps for ever.
package struct Retention: Equatable, Sendable {
  /// Versions of an item that changed again and again, the current one included; at least one.
  package var versionCount: Int? = 20
  /// Run records.
  package var runDays: Int? = 90
  /// Items that their source has not shown for so long lose their content; a tombstone stays.
  package var itemDays: Int?
  /// Tombstones. A source that shows an item again after this makes it news again.
  package var tombstoneDays: Int? = 365

  package init() {}
}
