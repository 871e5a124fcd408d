import FetchModel
package import FetchStore
import FetchValues

/// The failed runs whose answers are kept.
extension StoreQueries {
  /// Returns the runs whose answers are kept, newest first.
  package func keptRuns() async throws(StoreError) -> [KeptRunRow] { try await reader.keptRuns() }

  /// Returns what was kept of a run; empty where nothing is.
  package func keptAnswers(of row: KeptRunRow) async throws(StoreError) -> [UInt8] {
    try await reader.keptAnswers(of: row.run) ?? []
  }

  /// A note in the place of what could not be recorded is small.
  private static let noteBytesMax = 500

  /// Returns why the answers of a listed run are not kept; nil where they are.
  package func reasonUnkept(_ row: KeptRunRow) async throws(StoreError) -> String? {
    if row.bytes > Self.noteBytesMax { return nil }
    return KeptRun.reasonUnkept(try await keptAnswers(of: row))
  }

  /// Returns a sentence that says why there is nothing of a run to be done again, as far as the store
  /// knows.
  ///
  /// - Parameters:
  ///   - name: a run's id, its beginning, or a job's name, for which `rows` has no run.
  ///   - rows: all that are kept.
  ///   - listing: the command that lists them.
  package func sentence(
    missing name: String, among rows: [KeptRunRow], listing: String
  ) async throws(StoreError) -> String {
    guard let found = try await reader.run(named: name) else {
      let hint = NearestName.hint(name, amongJobs: rows.map(\.job))
      return "there is no run or job '\(name)' in the store\(hint); "
        + "\(listing) lists what is kept"
    }
    let newerCount = rows.count {
      ExactText($0.job) == ExactText(found.job) && $0.startedAt >= found.startedAt
    }
    let reason = KeptRun.reasonUnkept(found, newerCount: newerCount)
    return "the run \(found.run) of \(found.job) cannot be done again: \(reason)"
  }
}

extension [KeptRunRow] {
  /// Returns the run with that id, the only one whose id begins so, or the newest one of a job with
  /// that name; nil where there is none.
  package func run(named name: String) -> KeptRunRow? {
    let begun = filter { $0.run.description.hasPrefix(name.lowercased()) }
    if begun.count == 1 { return begun.first }
    return first { ExactText($0.job) == ExactText(name) }
  }
}
