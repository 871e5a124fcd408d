/// The reason why a run has no news: the first gate that found nothing new.
package enum NoDataReason: String, Sendable, CaseIterable {
  /// Every answer was 304 Not Modified.
  case notModified
  /// The bodies equal the previous ones byte for byte.
  case sameBody
  /// There were items, all known and unchanged.
  case sameItems
  /// The source has no items.
  case empty
}
