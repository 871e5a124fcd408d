import FetchModel
package import FetchStore
import FetchValues

/// The queries for the failed runs that the store keeps for a replay.
extension StoreQueries {
  /// Returns the kept runs, newest first. The entries of some runs have only the reason why the
  /// answers are not kept.
  package func keptRuns() async throws(StoreError) -> [KeptRunRow] { try await reader.keptRuns() }

  /// Returns the stored entry of a run: its kept answers, or the reason why they are not kept.
  /// Empty if there is no entry.
  package func keptAnswers(of row: KeptRunRow) async throws(StoreError) -> [UInt8] {
    try await reader.keptAnswers(of: row.run) ?? []
  }

  /// The maximum size in bytes of an entry that only contains the reason why a run was not
  /// recorded.
  private static let noteBytesMax = 500

  /// Returns the reason why the answers of the run are not kept; nil if they are kept.
  package func reasonUnkept(_ row: KeptRunRow) async throws(StoreError) -> String? {
    if row.bytes > Self.noteBytesMax { return nil }
    return KeptRun.reasonUnkept(try await keptAnswers(of: row))
  }

  /// Returns a sentence which says why a run cannot be replayed, that the ids of several kept runs
  /// begin with the name, or that there is no such run.
  ///
  /// - Parameters:
  ///   - name: a run's id, the beginning of a run's id, or a job's name. `rows.run(named:)` has
  ///     returned nil for this name.
  ///   - rows: all kept runs.
  ///   - listing: the command that lists the kept runs.
  package func sentence(
    missing name: String, among rows: [KeptRunRow], listing: String
  ) async throws(StoreError) -> String {
    guard let found = try await reader.run(named: name) else {
      let begun = rows.runs(beginningWith: name)
      if begun.count > 1 {
        let shown = begun.prefix(Self.shownMax).map { "\($0.run) of \($0.job)" }
        return "the ids of \(begun.count) kept runs begin with '\(name)', such as "
          + shown.joined(separator: " and ")
          + ": type more of the run's id, or a job's name for its last kept run; "
          + "\(listing) lists the kept runs"
      }
      let hint = NearestName.hint(JobName(name), among: rows.map(\.job))
      // The reader does not say whether no run or several runs have the name.
      return "the store has no run of a job '\(name)', and not exactly one run whose id begins"
        + " with '\(name)'\(hint); \(listing) lists the kept runs"
    }
    let newerCount = rows.count {
      $0.job == found.job && $0.startedAt >= found.startedAt
    }
    let reason = KeptRun.reasonUnkept(found, newerCount: newerCount)
    return "the run \(found.run) of \(found.job) cannot be replayed: \(reason)"
  }

  /// The maximum number of runs that a message about an ambiguous name lists.
  private static let shownMax = 2
}

extension [KeptRunRow] {
  /// Returns the run whose id is `name`, or the only run whose id begins with `name`. Otherwise
  /// returns the first run in the array whose job has that name; nil if there is none.
  package func run(named name: String) -> KeptRunRow? {
    let begun = runs(beginningWith: name)
    if begun.count == 1 { return begun.first }
    return first { $0.job == JobName(name) }
  }

  fileprivate func runs(beginningWith name: String) -> [KeptRunRow] {
    filter { $0.run.description.hasPrefix(name.lowercased()) }
  }
}
