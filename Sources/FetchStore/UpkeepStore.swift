package import FetchModel
package import FetchValues

/// The operations that keep a store small, and the function that closes it.
package protocol UpkeepStore: Sendable {
  /// Removes a job's items and their history, its state, validators, transfers and kept answers.
  /// The job's run records, schedule and deliveries stay. The job's next run counts as its first
  /// run. Returns false if the job does not exist.
  func reset(job name: JobName) async throws(StoreError) -> Bool

  /// Applies retention to the whole store in small steps. Returns the number of rows that were
  /// removed or marked as pruned. Versions that are removed together with their item may not be
  /// counted.
  func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) -> Int

  /// Performs one small step of retention if retention is due. Retention is due once a day. For a
  /// store in a file, it is also due once an hour while space is short. Retention that the config
  /// has changed may be due earlier. The next call continues where this step ended,
  /// also in another process.
  ///
  /// - Parameter retention: the retention of the config; nil means the retention of the last
  ///   config.
  func keepUp(_ retention: Retention?, now: Timestamp) async throws(StoreError) -> RetentionProgress

  /// Returns the retention of the last config that used this store. Returns the default retention
  /// if there is none.
  func retention() async throws(StoreError) -> Retention

  /// Replaces the maximum size of one job's items and, for a store in a file, the maximum size of
  /// the file.
  func setLimits(_ retention: Retention) async throws(StoreError)

  /// Frees the disk space that pruning has left unused. Does nothing if this space is less than a
  /// tenth of the store, or if the store is in a database of a server. The operation may need up to
  /// twice as much additional disk space as the kept data. Other calls wait until the operation has
  /// ended.
  func compact() async throws(StoreError)

  /// Waits for pending writes, then closes the store. Later calls throw `closed`, unless the store
  /// was already unusable for another reason.
  func close() async throws(StoreError)
}

/// The remaining work of retention after a step.
package enum RetentionProgress: Equatable, Sendable {
  /// More work is due now.
  case goesOn
  /// No work is due before the given time, unless space becomes short or the config's retention
  /// changes.
  case rests(until: Timestamp)
}
