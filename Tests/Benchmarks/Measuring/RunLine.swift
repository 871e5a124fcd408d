import Foundation

/// The fields of a run's JSON line that the benchmark reads.
struct RunLine: Decodable {
  struct Failure: Decodable {
    var code: String
    var message: String
  }

  var job: String
  var outcome: String
  var added: Int?
  var updated: Int?
  var removed: Int?
  var failure: Failure?

  static func lines(of data: Data) throws -> [RunLine] {
    let decoder = JSONDecoder()
    return try data.split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(RunLine.self, from: $0)
    }
  }

  /// Returns the mistakes in `lines`; empty if there are none. Job `f<number>` must have
  /// `added[number]` new items and no other change. All other jobs of the `count` jobs must have no
  /// change.
  static func mistakes(in lines: [RunLine], count: Int, added: [Int: Int]) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for line in lines {
      if !seen.insert(line.job).inserted { found.append("\(line.job) ran twice") }
      let wanted = Int(line.job.dropFirst()).flatMap { added[$0] } ?? 0
      let outcome = wanted > 0 ? "newData" : "noData"
      if line.outcome != outcome || line.added ?? 0 != wanted || line.updated ?? 0 != 0
        || line.removed ?? 0 != 0
      {
        let failure = line.failure.map { " (\($0.code): \($0.message))" } ?? ""
        found.append(
          "\(line.job): \(line.outcome)\(failure) +\(line.added ?? 0) ~\(line.updated ?? 0)"
            + " -\(line.removed ?? 0) instead of \(outcome) +\(wanted)")
      }
    }
    if seen.count != count { found.append("\(seen.count) jobs ran instead of \(count)") }
    return found
  }
}
