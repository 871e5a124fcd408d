import FetchModel
import FetchStore
import FetchValues

/// The past runs and skips of a job, as sentences.
extension ReadableStore {
  /// Inserts the message of the job's last failure into the sentence: `failed once; next try …`
  /// becomes `failed once (404 Not Found); next try …`.
  func naming(lastFailureOf job: JobName, in sentence: String) async -> String {
    guard let end = sentence.firstIndex(of: ";"),
      let failure = try? await runs(job: job, limit: 1).first?.outcome.failure
    else { return sentence }
    let text = failure.message.prefix { $0 != "\n" }
    let shown =
      text.count > failureCharactersMax
      ? text.prefix(failureCharactersMax) + "…" : text
    return sentence[..<end] + " (\(shown))" + sentence[end...]
  }

  /// Returns a sentence about the job's last run if the last run failed. Then returns one sentence
  /// about each of the last skipped occasions, newest first. Leaves out the failure of a held job,
  /// which is reported elsewhere.
  func history(of job: JobName, isHeld: Bool) async -> [String] {
    var sentences: [String] = []
    if let last = try? await runs(job: job, limit: 1).first, let failure = last.outcome.failure,
      !(isHeld && failure.code == .permission)
    {
      let text = failure.message.prefix { $0 != "\n" }
      sentences.append(
        "Its last run, at \(last.startedAt.descriptionInSeconds), failed (\(failure.code.rawValue)): \(text)."
      )
    }
    let skips = (try? await skips(job: job, limit: skipsMax)) ?? []
    return sentences + skips.map { "Skipped at \($0.at.descriptionInSeconds): \($0.reason)." }
  }
}

private let skipsMax = 3
/// The maximum length of a failure's message in characters, since a table shows the message.
private let failureCharactersMax = 100
