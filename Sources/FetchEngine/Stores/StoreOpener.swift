package import FetchStore
import FetchStoreSQLite

/// The opening of a store by its address: the only place that knows which kinds of stores there
/// are.
package enum StoreOpener {
  /// Opens a store for reading: takes no lock, and works while a process writes. Throws `missing`
  /// if there is none.
  package static func read(
    _ address: StoreAddress
  ) async throws(StoreError) -> any ReadableStore { try StoreReader(at: address.path) }

  /// Opens a store for writing, and creates it if there is none.
  ///
  /// - Parameters:
  ///   - clock: measures the wait for another process.
  ///   - onWait: called once before waiting for another process that writes to the store, with that
  ///     process's id if it is known.
  package static func open(
    _ address: StoreAddress, options: StoreOptions = StoreOptions(),
    clock: any Clock<Duration> = ContinuousClock(), onWait: (Int32?) -> Void = { _ in }
  ) async throws(StoreError) -> any Store {
    try await SQLiteStore.open(at: address.path, options: options, clock: clock, onWait: onWait)
  }

  /// Creates a store in the file at `path` with a copy of all that a run of one job depends on: see
  /// `SQLiteStore.copy`.
  package static func copy(
    ofJob job: String, from store: StoreAddress, to path: String
  ) async throws(StoreError) -> any Store {
    try await SQLiteStore.copy(ofJob: job, from: store.path, to: path)
  }
}
