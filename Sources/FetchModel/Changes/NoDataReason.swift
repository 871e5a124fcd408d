/// The reason why a run has no news, from the first check that found nothing new.
package enum NoDataReason: String, Sendable, CaseIterable {
  /// Every answer was 304 Not Modified.
  case notModified
  /// Every answer's body equals the previous body byte for byte, or the answer was a 304.
  case sameBody
  /// The source has items, but all are known and unchanged.
  case sameItems
  /// The source has no items.
  case empty
}
