/// The facts that one run found out about its source.
package enum AdaptiveObservation: Equatable, Sendable {
  /// The source has items with publication dates.
  case items(ItemsSeen)
  /// The source does not date its items. The first value is whether something changed since the
  /// last successful run. `modifiedAt` is the time of the last change, if the source gives it.
  case changed(Bool, modifiedAt: Double? = nil)
  /// The run failed. `retryAfter` is the wait that the server requested, in seconds.
  case failed(retryAfter: Double?)
}

/// The items that a run found in a source with dated items.
package struct ItemsSeen: Equatable, Sendable {
  /// The publication times of the new items, in any order, in seconds since the epoch.
  package var newTimes: [Double]
  /// The number of items that the source showed, including those that were already known.
  package var shownCount: Int

  package init(newTimes: [Double], shownCount: Int) {
    self.newTimes = newTimes
    self.shownCount = shownCount
  }
}
