/// The gate that closed on the way to news: the first one that could say "nothing new".
package enum NoDataReason: String, Sendable, CaseIterable {
  /// Every answer was 304 Not Modified.
  case notModified
  /// The bodies were those of last time, byte for byte.
  case sameBody
  /// There were items, all known and unchanged.
  case sameItems
  /// The source has no items.
  case empty
}
