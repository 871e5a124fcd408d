package import FetchModel
package import FetchValues

/// The operations that keep a store small, and its end.
package protocol UpkeepStore: Sendable {
  /// Forgets what a job knows: its items and their history, its state and its validators. Its run
  /// records, its schedule and its deliveries stay, and its next run is its first. False where there is
  /// no such job.
  func reset(job name: String) async throws(StoreError) -> Bool

  /// Applies retention to the whole store, in small steps, and returns how many rows went.
  func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) -> Int

  /// Does one small step of retention where it is due: once a day, and once an hour while the store has
  /// little room. The store remembers what is due and how far it has come.
  ///
  /// - Parameter retention: what a config asks for; nil: what the last one asked for.
  func keepUp(_ retention: Retention?, now: Timestamp) async throws(StoreError) -> RetentionProgress

  /// Returns what the last config asked to keep that named this store; otherwise what is usual.
  func retention() async throws(StoreError) -> Retention

  /// Sets other limits than those that the store was opened with.
  func setLimits(_ retention: Retention) async throws(StoreError)

  /// Gives the room that pruning has left back to the disk, where that is much. May need as much room
  /// on the disk meanwhile as what is kept takes. Nobody else uses the store meanwhile.
  func compact() async throws(StoreError)

  /// Waits for what is being written, then lets go of the store. Every later call throws `closed`.
  func close() async throws(StoreError)
}

/// What is left of retention after a step.
package enum RetentionProgress: Equatable, Sendable {
  /// There is more to do now.
  case goesOn
  /// There is nothing to do before then.
  case rests(until: Timestamp)
}
