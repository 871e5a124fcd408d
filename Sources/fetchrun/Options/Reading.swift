import ArgumentParser
import FetchEngine
import FetchStore

/// The common part of verbs that only read the store.
enum Reading {
  static func from(
    _ place: StorePlace, _ output: RunOutput, _ body: (StoreQueries) async throws -> Void
  ) async throws {
    try await from(store: place.path(output), of: place, output, body)
  }

  /// Prints the store's message and throws the exit status if the store cannot answer.
  ///
  /// - Parameter store: the path that the place has returned.
  static func from<T>(
    store: String, of place: StorePlace, _ output: RunOutput,
    _ body: (StoreQueries) async throws -> T
  ) async throws -> T {
    do { return try await body(try await StoreQueries(at: .file(store))) } catch let error
      as StoreError
    {
      output.message(place.sentence(error))
      throw ExitStatus.runFailed
    }
  }
}
