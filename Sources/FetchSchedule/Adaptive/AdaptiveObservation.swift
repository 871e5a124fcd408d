/// What one run of a job showed of its source.
package enum AdaptiveObservation: Equatable, Sendable {
  /// Items whose publication is dated.
  case items(ItemsSeen)
  /// Only whether something changed since the last good run, and when the source says that it last
  /// did.
  case changed(Bool, modifiedAt: Double? = nil)
  /// The run failed; the source may have asked to wait so many seconds.
  case failed(retryAfter: Double?)
}

/// What a run showed of a source that dates its items.
package struct ItemsSeen: Equatable, Sendable {
  /// When the new ones were published, in any order, in seconds since the epoch.
  package var newTimes: [Double]
  /// How many items the source showed, known ones too.
  package var shownCount: Int

  package init(newTimes: [Double], shownCount: Int) {
    self.newTimes = newTimes
    self.shownCount = shownCount
  }
}
