/// The suggestion "did you mean …?", with the known name that is most similar to a mistyped name.
package enum NearestName {
  /// Returns the candidate with the smallest edit distance to the word. The maximum distance is a
  /// third of the word's length in bytes, but at least 1. If several candidates have the same
  /// distance, the result is the first of them. Returns nil if no candidate is similar enough.
  package static func of(_ word: String, among candidates: [String]) -> String? {
    let limit = max(1, word.utf8.count / 3)
    let scored = candidates.map { (name: $0, distance: distance($0, word, limit: limit)) }
    return scored.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
  }

  /// Returns ` (did you mean 'url'?)`, or an empty string if no candidate is similar.
  package static func hint(_ word: String, among candidates: [String]) -> String {
    of(word, among: candidates).map { " (did you mean '\($0)'?)" } ?? ""
  }

  /// Returns the hint for an unknown job name, such as
  /// ` (did you mean 'rss-kernel.org' or 'rss-swift.org'?)`. The hint has the most similar name. If
  /// no name is similar, it lists up to three names that begin with the unknown name. If there are
  /// none, it lists up to three names that contain the unknown name. An unknown name of less than
  /// two bytes gets no list. Without a name to suggest, the hint is empty.
  package static func hint(_ job: JobName, among jobs: [JobName]) -> String {
    let (word, names) = (job.text, jobs.map(\.text))
    if let name = of(word, among: names) { return " (did you mean '\(name)'?)" }
    let part = Array(word.lowercased().utf8)
    guard part.count >= partBytesMin else { return "" }
    let begun = names.filter { Array($0.lowercased().utf8).starts(with: part) }
    let shown =
      (begun.isEmpty ? names.filter { $0.lowercased().contains(word.lowercased()) } : begun)
      .prefix(listedMax).map { "'\($0)'" }
    guard let last = shown.last else { return "" }
    let others = shown.dropLast().joined(separator: ", ")
    return " (did you mean \(others.isEmpty ? last : others + " or " + last)?)"
  }

  private static let partBytesMin = 2
  private static let listedMax = 3

  /// Returns the optimal string alignment distance in bytes, which counts insertions, deletions,
  /// substitutions and swaps of adjacent bytes. The case of letters does not matter. Returns
  /// `limit + 1` if the lengths differ by more than `limit`, or if a name has more than 64 bytes.
  private static func distance(_ left: String, _ right: String, limit: Int) -> Int {
    let a = Array(left.lowercased().utf8)
    let b = Array(right.lowercased().utf8)
    guard abs(a.count - b.count) <= limit, a.count <= 64, b.count <= 64 else { return limit + 1 }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
