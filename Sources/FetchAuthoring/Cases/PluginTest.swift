import FetchConfig
package import FetchEngine
package import FetchHost
package import FetchModel
import FetchValues

/// The test of a plugin on its recorded cases. It runs offline in the real sandbox and pipeline,
/// with a temporary store. An unrecorded request gets no answer.
package struct PluginTest: Sendable {
  private let workers: WorkerPool
  private let policy = HTTPPolicy(version: Product.version)

  package init(workers: WorkerPool) { self.workers = workers }

  /// Replays the case and compares the actual results with the expected results.
  ///
  /// - Parameter updates: whether the actual results replace the expected results. The expected
  ///   results are not replaced if the actual requests differ from the recorded requests.
  package func result(
    of folder: CaseFolder, _ plugin: Plugin, updates: Bool = false
  ) async -> CaseResult {
    var result = CaseResult(
      plugin: plugin.manifest.name, name: folder.name, verdict: .passed, file: folder.caseFile)
    do {
      let played = try await play(try CaseFile.read(folder.path), of: plugin)
      let expected = updates ? try? folder.expected() : try folder.expected()
      result.problems = played.problems
      result.warnings = played.lines.mistakes
      result.expectedFailure = expected?.failureMessage
      if expected != played.lines {
        if updates, played.problems.isEmpty {
          try folder.write(expected: played.lines)
          result.verdict = .updated
          result.expectedFailure = played.lines.failureMessage
        } else {
          result.diff = (expected ?? CaseLines()).diff(to: played.lines)
          result.problems += played.failurePlaces
        }
        if expected == nil, !updates {
          result.problems.append(
            "there is no \(CaseFile.expectedName) yet; `--update` creates it if the requests match")
        }
      }
      if updates, !played.problems.isEmpty {
        result.problems.append(
          "nothing was written: `--update` accepts other results, not other requests; change the "
            + "requests in \(folder.caseFile), or record the case again")
      }
      if !result.problems.isEmpty || !result.diff.isEmpty { result.verdict = .failed }
    } catch {
      result.verdict = .bad
      result.problems = Self.messages(error)
    }
    return result
  }

  /// Replays all runs of a recording in order. Throws an error if the recording does not fit the
  /// plugin, or if no temporary store can be created.
  package func play(_ recording: Recording, of plugin: Plugin) async throws -> PlayedCase {
    let bench = try await CaseBench(recording, plugin, workers, policy)
    var played = PlayedCase()
    var now = recording.now
    for (index, run) in recording.runs.enumerated() {
      now = run.now ?? now
      let answers = ReplayedAnswers(run, secrets: recording.secrets)
      let ended = try await bench.run(run, at: now, over: answers, clock: FrozenClock())
      played.lines.append(ended)
      played.outcomes.append(ended.report.record.outcome)
      let place = recording.runs.count == 1 ? "" : "run \(index + 1): "
      played.problems += answers.unrecorded.map { "\(place)\($0)" }
      played.problems += answers.unasked.map {
        "\(place)\(UnrecordedRequest.name($0.method, $0.url)) was sent less often than it is"
          + " recorded"
      }
    }
    await bench.close()
    played.lines = bench.portable(played.lines)
    return played
  }

  private static func messages(_ error: any Error) -> [String] {
    switch error {
    case let problems as ConfigProblems: problems.all.map(\.description)
    case let problems as OptionProblems: problems.messages
    default: ["\(error)"]
    }
  }
}

/// The results of replaying a recording.
package struct PlayedCase: Sendable {
  package var lines = CaseLines()
  package var outcomes: [Outcome] = []
  /// The differences between the actual and the recorded requests. Each is described by one
  /// sentence.
  package var problems: [String] = []

  /// The messages of the failures that have a place in the plugin's code. Each message begins with
  /// the place. Expected results contain no places, because an edit of the code can change the line
  /// numbers.
  var failurePlaces: [String] {
    outcomes.compactMap { outcome in
      guard let failure = outcome.failure, let file = failure.file, let line = failure.line else {
        return nil
      }
      return "\(file):\(line): \(failure.message)"
    }
  }
}
