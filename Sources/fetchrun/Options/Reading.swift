import ArgumentParser
import FetchStore
import FetchStoreSQLite
import FetchValues

/// What all verbs share that only read the store.
enum Reading {
  static func from(
    _ place: StorePlace, _ output: RunOutput, _ body: (StoreReader) throws -> Void
  ) throws {
    try from(store: place.path(output), of: place, output, body)
  }

  /// `store` is where the place was found to be.
  static func from(
    store: String, of place: StorePlace, _ output: RunOutput, _ body: (StoreReader) throws -> Void
  ) throws {
    do { try body(try StoreReader(at: store)) } catch let error as StoreError {
      output.message(place.sentence(error))
      throw ExitStatus.runFailed
    }
  }

  /// Ends the verb with a word where the store has no such job.
  static func check(_ job: String, _ reader: StoreReader, _ output: RunOutput) throws {
    let names = try reader.jobs().map(\.name)
    if names.contains(where: { ExactText($0) == ExactText(job) }) { return }
    throw unknown(job, among: names, output)
  }

  static func unknown(_ job: String, among names: [String], _ output: RunOutput) -> ExitCode {
    output.message("the store has no job '\(job)'\(NearestName.hint(job, amongJobs: names))")
    return ExitStatus.runFailed
  }
}
