/// The observation of one run about its source.
package enum AdaptiveObservation: Equatable, Sendable {
  /// Items with publication dates.
  case items(ItemsSeen)
  /// Only whether something changed since the last good run, and the time that the source gives for
  /// its last change.
  case changed(Bool, modifiedAt: Double? = nil)
  /// The run failed; `retryAfter` is the wait that the source asked for, in seconds.
  case failed(retryAfter: Double?)
}

/// The items that a run found in a source with dated items.
package struct ItemsSeen: Equatable, Sendable {
  /// The publication times of the new items, in any order, in seconds since the epoch.
  package var newTimes: [Double]
  /// The number of items that the source showed, including known ones.
  package var shownCount: Int

  package init(newTimes: [Double], shownCount: Int) {
    self.newTimes = newTimes
    self.shownCount = shownCount
  }
}
