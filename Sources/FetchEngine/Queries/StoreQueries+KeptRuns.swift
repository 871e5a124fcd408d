import FetchModel
package import FetchStore
import FetchValues

/// The failed runs whose answers are kept.
extension StoreQueries {
  /// Returns the runs whose answers are kept, newest first.
  package func keptRuns() async throws(StoreError) -> [KeptRunRow] { try await reader.keptRuns() }

  /// Returns the kept answers of a run; empty if there are none.
  package func keptAnswers(of row: KeptRunRow) async throws(StoreError) -> [UInt8] {
    try await reader.keptAnswers(of: row.run) ?? []
  }

  /// The maximum size of a note about an unrecorded run, which is small.
  private static let noteBytesMax = 500

  /// Returns why the answers of a listed run are not kept; nil if they are.
  package func reasonUnkept(_ row: KeptRunRow) async throws(StoreError) -> String? {
    if row.bytes > Self.noteBytesMax { return nil }
    return KeptRun.reasonUnkept(try await keptAnswers(of: row))
  }

  /// Returns a sentence on why a run cannot be replayed, as far as the store knows.
  ///
  /// - Parameters:
  ///   - name: a run's id, its beginning, or a job's name, for which `rows` has no run.
  ///   - rows: all kept runs.
  ///   - listing: the command that lists them.
  package func sentence(
    missing name: String, among rows: [KeptRunRow], listing: String
  ) async throws(StoreError) -> String {
    guard let found = try await reader.run(named: name) else {
      let hint = NearestName.hint(name, amongJobs: rows.map(\.job))
      return "there is no run or job '\(name)' in the store\(hint); "
        + "\(listing) lists the kept runs"
    }
    let newerCount = rows.count {
      ExactText($0.job) == ExactText(found.job) && $0.startedAt >= found.startedAt
    }
    let reason = KeptRun.reasonUnkept(found, newerCount: newerCount)
    return "the run \(found.run) of \(found.job) cannot be replayed: \(reason)"
  }
}

extension [KeptRunRow] {
  /// Returns the run with that id or unique beginning of an id, otherwise the newest run of the job
  /// with that name; nil if there is none.
  package func run(named name: String) -> KeptRunRow? {
    let begun = filter { $0.run.description.hasPrefix(name.lowercased()) }
    if begun.count == 1 { return begun.first }
    return first { ExactText($0.job) == ExactText(name) }
  }
}
