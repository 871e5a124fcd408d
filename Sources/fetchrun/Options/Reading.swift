import ArgumentParser
import FetchEngine
import FetchStore
import FetchValues

/// What all verbs share that only read the store.
enum Reading {
  static func from(
    _ place: StorePlace, _ output: RunOutput, _ body: (any ReadableStore) async throws -> Void
  ) async throws {
    try await from(store: place.path(output), of: place, output, body)
  }

  /// `store` is where the place was found to be.
  static func from(
    store: String, of place: StorePlace, _ output: RunOutput,
    _ body: (any ReadableStore) async throws -> Void
  ) async throws {
    do { try await body(try await StoreOpener.read(.file(store))) } catch let error as StoreError {
      output.message(place.sentence(error))
      throw ExitStatus.runFailed
    }
  }

  /// Ends the verb with a word where the store has no such job.
  static func check(
    _ job: String, _ reader: any ReadableStore, _ output: RunOutput
  ) async throws {
    let names = try await reader.jobs().map(\.name)
    if names.contains(where: { ExactText($0) == ExactText(job) }) { return }
    throw unknown(job, among: names, output)
  }

  static func unknown(_ job: String, among names: [String], _ output: RunOutput) -> ExitCode {
    output.message("the store has no job '\(job)'\(NearestName.hint(job, amongJobs: names))")
    return ExitStatus.runFailed
  }
}
