import ArgumentParser
import FetchEngine
import FetchStore

/// The common code of verbs that only read the store.
enum Reading {
  static func from(
    _ place: StorePlace, _ output: RunOutput, _ body: (StoreQueries) async throws -> Void
  ) async throws {
    try await from(store: place.address(output), of: place, output, body)
  }

  /// Runs `body` with the queries of the store, and returns its result. If the store cannot be
  /// read, prints the error and throws the exit status.
  ///
  /// - Parameter store: the address of the store, as `StorePlace` has returned it.
  static func from<T>(
    store: StoreAddress, of place: StorePlace, _ output: RunOutput,
    _ body: (StoreQueries) async throws -> T
  ) async throws -> T {
    do { return try await body(try await StoreQueries(at: store)) } catch let error
      as StoreError
    {
      output.message(place.sentence(error))
      throw ExitStatus.runFailed
    }
  }
}
