package import FetchModel
package import FetchValues

/// The operations that keep a store small, and its closing.
package protocol UpkeepStore: Sendable {
  /// Removes a job's items and their history, its state and its validators. Its run records, its
  /// schedule and its deliveries stay, and its next run counts as its first. Returns false if there
  /// is no such job.
  func reset(job name: String) async throws(StoreError) -> Bool

  /// Applies retention to the whole store in small steps; returns the number of removed rows.
  func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) -> Int

  /// Does one small step of retention if it is due: once a day, and once an hour while space is
  /// short. The store remembers when it is due and its progress.
  ///
  /// - Parameter retention: the config's; nil means that of the last config.
  func keepUp(_ retention: Retention?, now: Timestamp) async throws(StoreError) -> RetentionProgress

  /// Returns the retention of the last config that named this store, otherwise the default.
  func retention() async throws(StoreError) -> Retention

  /// Replaces the limits with which the store was opened.
  func setLimits(_ retention: Retention) async throws(StoreError)

  /// Frees the disk space that pruning has left unused, if it is much. May temporarily need as much
  /// disk space as the kept data. The store is not available meanwhile.
  func compact() async throws(StoreError)

  /// Waits for pending writes, then closes the store. Every later call throws `closed`.
  func close() async throws(StoreError)
}

/// The remaining work of retention after a step.
package enum RetentionProgress: Equatable, Sendable {
  /// More work is due now.
  case goesOn
  /// No work is due before then.
  case rests(until: Timestamp)
}
