import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchValues

extension StoreReader {
  private static let skipsMax = 3
  /// A table has no room for more.
  private static let failureCharactersMax = 100

  /// `failed once; next try …` as `failed once (404 Not Found); next try …`.
  func naming(lastFailureOf job: String, in sentence: String) -> String {
    guard let end = sentence.firstIndex(of: ";"),
      let failure = try? runs(job: job, limit: 1).first?.outcome.failure
    else { return sentence }
    let text = failure.message.prefix { $0 != "\n" }
    let shown =
      text.count > Self.failureCharactersMax
      ? text.prefix(Self.failureCharactersMax) + "…" : text
    return sentence[..<end] + " (\(shown))" + sentence[end...]
  }

  /// What became of a job's last run, where it failed, and the last occasions that passed without
  /// one, the latest first; a sentence each. That a job is held is not told again as its failure.
  func history(of job: String, isHeld: Bool) -> [String] {
    var sentences: [String] = []
    if let last = try? runs(job: job, limit: 1).first, let failure = last.outcome.failure,
      !(isHeld && failure.code == .permission)
    {
      let text = failure.message.prefix { $0 != "\n" }
      sentences.append(
        "Its last run, at \(last.startedAt.descriptionInSeconds), failed (\(failure.code.rawValue)): \(text)."
      )
    }
    let skips = (try? skips(job: job, limit: Self.skipsMax)) ?? []
    return sentences + skips.map { "Skipped at \($0.at.descriptionInSeconds): \($0.reason)." }
  }
}
