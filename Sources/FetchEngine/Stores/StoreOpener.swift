package import FetchStore
import FetchStoreSQLite

/// Opens a store by its address: the only place that knows which kinds of stores there are.
package enum StoreOpener {
  /// Opens a store for reading: takes no lock, and works while a process writes. Throws `missing` where
  /// there is none.
  package static func read(
    _ address: StoreAddress
  ) async throws(StoreError) -> any ReadableStore { try StoreReader(at: address.path) }

  /// Opens a store for writing, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - clock: what waiting for another process is measured by.
  ///   - onWait: called once when another process writes to the store, with that process's id where it
  ///     is known, before waiting for it.
  package static func open(
    _ address: StoreAddress, options: StoreOptions = StoreOptions(),
    clock: any Clock<Duration> = ContinuousClock(), onWait: (Int32?) -> Void = { _ in }
  ) async throws(StoreError) -> any Store {
    try await SQLiteStore.open(at: address.path, options: options, clock: clock, onWait: onWait)
  }

  /// Makes a new store in the file at `path` with all that a run of one job depends on, as another
  /// store has it now: see `SQLiteStore.copy`.
  package static func copy(
    ofJob job: String, from store: StoreAddress, to path: String
  ) async throws(StoreError) -> any Store {
    try await SQLiteStore.copy(ofJob: job, from: store.path, to: path)
  }
}
