import FetchHost
package import FetchStore
import FetchStorePostgres
import FetchStoreSQLite
package import FetchValues

/// The functions that open, copy and convert stores of any kind.
package enum StoreOpener {
  /// Opens a store for reading, even while another process writes. Throws `missing` if there is no
  /// store.
  package static func read(
    _ address: StoreAddress
  ) async throws(StoreError) -> any ReadableStore {
    if address.isServer { return try await PostgresReader(at: address) }
    return try StoreReader(at: address.path)
  }

  /// Checks an address without opening the store. Throws `rejected` for the address of a database
  /// that contains a password or a key.
  package static func check(_ address: StoreAddress) throws(StoreError) {
    if address.isServer { _ = try PostgresAddress(address) }
  }

  /// Opens a store for writing. Creates a missing store if `options.creates` is true.
  ///
  /// - Parameters:
  ///   - clock: the clock that measures the wait for another process.
  ///   - onWait: called at most once, if the function waits for another process that writes to the
  ///     store. It receives the id of that process, if the id is known.
  package static func open(
    _ address: StoreAddress, options: StoreOptions = StoreOptions(),
    clock: any Clock<Duration> = ContinuousClock(), onWait: (Int32?) -> Void = { _ in }
  ) async throws(StoreError) -> any Store {
    if address.isServer {
      let store = try await PostgresStore.open(
        at: address, options: options, clock: clock, onWait: onWait)
      // An address that the store refuses must not leave a folder.
      PrivateFile.makeFolder(StateFolder(of: address).folder)
      return store
    }
    return try await SQLiteStore.open(
      at: address.path, options: options, clock: clock, onWait: onWait)
  }

  /// Creates a store in the file at `path` with a copy of the data that a run of one job depends
  /// on: see `SQLiteStore.copy`.
  package static func copy(
    ofJob job: JobName, from store: StoreAddress, to path: String
  ) async throws(StoreError) -> any Store {
    guard store.isServer else {
      return try await SQLiteStore.copy(ofJob: job, from: store.path, to: path)
    }
    let copy = try await SQLiteStore.open(at: path)
    try await copy.close()
    do throws(StoreError) {
      try await StoreCopy.copy(ofJob: job, from: store, to: .file(path))
    } catch {
      // Without a store, the copy stays empty. A dry run does not need a store.
      guard error.code == .missing else { throw error }
    }
    return try await SQLiteStore.open(at: path)
  }

  /// Opens the rows of a store for a copy.
  ///
  /// - Parameter writes: whether rows will be added.
  static func tables(
    at address: StoreAddress, writes: Bool
  ) async throws(StoreError) -> any StoreTables {
    address.isServer
      ? try await PostgresTables(at: address, writes: writes)
      : try SQLiteTables(at: address.path, writes: writes)
  }

  /// Converts a store to the format of this fetchrun. Returns the numbers of the formats before and
  /// after.
  package static func migrate(
    _ address: StoreAddress
  ) async throws(StoreError) -> (before: Int, after: Int) {
    let before =
      address.isServer
      ? try await PostgresStore.format(of: address) : try await read(address).facts().format
    var options = StoreOptions()
    (options.creates, options.migrates) = (false, true)
    let store = try await open(address, options: options, clock: HostClock())
    let after = try await store.facts().format
    try await store.close()
    return (before, after)
  }
}
