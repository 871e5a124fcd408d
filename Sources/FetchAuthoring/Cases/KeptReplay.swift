package import FetchEngine
import FetchHost
package import FetchModel
import FetchValues

/// A kept run done again, and what is different.
package struct KeptReplay: Sendable {
  /// What the run came to now.
  package var outcome: Outcome
  /// Whether the plugin's file says something else than it did.
  package var isPluginChanged: Bool
  /// Requests that were not made then, or are not made now; one sentence each.
  package var problems: [String]
  /// What it logged and how it ended, from then to now; empty where that is the same.
  package var diff: String

  package var isSame: Bool { problems.isEmpty && diff.isEmpty }

  /// Throws when the recording does not fit the plugin any more.
  package init(_ kept: KeptRun, _ plugin: Plugin, _ test: PluginTest) async throws {
    let played = try await test.play(kept.recording, of: plugin)
    outcome = played.outcomes.last ?? .noData(.empty)
    isPluginChanged = plugin.source.contentHash != kept.pluginHash
    problems = played.problems
    // The items of then were compared with a store that is not there.
    var lines = played.lines.withoutItems
    if let failure = outcome.failure { lines.tellLine(of: failure) }
    diff = kept.lines.diff(to: lines)
  }

  /// `{"run":…,"job":…,"outcome":…,"same":…,"pluginChanged":…,"problems":[…],"diff":…}`
  package func json(of row: RunID, job: String) -> String {
    let object: Value = .object(
      ValueObject([
        ("run", .string(row.description)), ("job", .string(job)),
        ("outcome", .string(outcome.word)), ("same", .bool(isSame)),
        ("pluginChanged", .bool(isPluginChanged)),
        ("problems", .array(problems.map { .string($0) })), ("diff", .string(diff)),
      ]))
    return (try? JSONWriter.text(object)) ?? "{}"
  }
}
