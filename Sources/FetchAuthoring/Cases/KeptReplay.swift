package import FetchConfig
package import FetchEngine
import FetchHost
package import FetchModel
package import FetchValues

/// The result of repeating a failed run with its stored answers: the outcome, and the differences
/// from the original run.
package struct KeptReplay: Sendable {
  /// The outcome of the repeated run.
  package var outcome: Outcome
  /// Whether the plugin's code has changed since the original run.
  package var isPluginChanged: Bool
  /// The differences between the requests of the two runs. Each is described by one sentence.
  package var problems: [String]
  /// The difference between the log lines and outcomes of the two runs; empty if there is none.
  package var diff: String

  package var isSame: Bool { problems.isEmpty && diff.isEmpty }

  /// Repeats the run. Throws an error if the recording no longer fits the plugin, or if no
  /// temporary store can be created.
  package init(_ kept: KeptRun, _ plugin: Plugin, _ test: PluginTest) async throws {
    let played = try await test.play(kept.recording, of: plugin)
    outcome = played.outcomes.last ?? .noData(.empty)
    isPluginChanged = plugin.source.contentHash != kept.pluginHash
    problems = played.problems
    // The diff covers only log lines and outcomes. Changes of items depend on the original run's
    // store, which is not available here.
    var lines = played.lines.withoutItems
    if let failure = outcome.failure { lines.tellLine(of: failure) }
    diff = kept.lines.diff(to: lines)
  }

  /// Returns the replay as a JSON object:
  /// `{"run":…,"job":…,"outcome":…,"same":…,"pluginChanged":…,"problems":[…],"diff":…}`.
  package func json(of row: RunID, job: JobName) -> String {
    let object: Value = .object(
      ValueObject([
        ("run", .string(row.description)), ("job", .string(job.text)),
        ("outcome", .string(outcome.word)), ("same", .bool(isSame)),
        ("pluginChanged", .bool(isPluginChanged)),
        ("problems", .array(problems.map { .string($0) })), ("diff", .string(diff)),
      ]))
    return (try? JSONWriter.text(object)) ?? "{}"
  }
}

extension KeptRun {
  /// Writes the run as a test case. The case has no expected results, since the run's failure is
  /// not the result that the user wants.
  package func write(to folder: CaseFolder) throws(ConfigProblem) {
    guard !NewFile.isThere(folder.path) else {
      throw ConfigProblem(file: folder.path, "already exists")
    }
    let comment = "# From the failed run \(recording.run.map { "\($0)" } ?? "").\n"
    try NewFile.write(Array((comment + text).utf8), to: folder.caseFile)
    for file in files { try NewFile.write(file.bytes, to: folder.path + "/" + file.path) }
  }
}
