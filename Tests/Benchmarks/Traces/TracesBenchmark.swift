import FetchEngine
import FetchSchedule
import Foundation

/// The learned schedule over traces, compared with requests at a fixed interval and with the
/// learned schedule without the reader's habits. If the true rates are beside the trace
/// (`x.truth.json.gz` of `x.jsonl.gz`), the schedule is also compared with the same planner on the
/// true rates.
struct TracesBenchmark {
  let paths: [String]

  static let timesFixedMax = 0.35
  static let timesOracleMax = 1.3
  /// The minimum share of missed items that the schedule should avoid by the reader's habits.
  static let fewerMissedMin = 0.2

  func measure() throws -> String {
    var table = Table()
    table.add(
      "trace", "fixed min", "no habits", "adaptive", "x fixed", "at most", "oracle", "x oracle",
      "at most", "missed %", "fewer %", "at least", "over budget", "gaps broken")
    var means = TraceMeans()
    for path in paths {
      report("replaying \(path)")
      table.add(try row(path, &means))
    }
    return table.text + "\n\n" + means.text
  }

  private func row(_ path: String, _ means: inout TraceMeans) throws -> [String] {
    let trace = try Self.trace(path)
    let fixed = score(trace, .fixed, usesReads: false)
    let unread = score(trace, .adaptive, usesReads: false)
    let adaptive = score(trace, .adaptive, usesReads: true)
    means.add(["fixed": fixed, "no habits": unread, "adaptive": adaptive])
    let oracle = try truth(beside: path, of: trace).map { rates in
      score(trace, .adaptive, usesReads: true) { rates[$0].forecast(at: $1) }
    }
    let fewer = 1 - Double(adaptive.missedCount) / Double(max(1, unread.missedCount))
    let all = [fixed, unread, adaptive, oracle].compactMap { $0 }
    return [
      URL(filePath: path).lastPathComponent, fixed.meanMinutes.text(1),
      unread.meanMinutes.text(1), adaptive.meanMinutes.text(1),
      (adaptive.meanMinutes / fixed.meanMinutes).text(3), Self.timesFixedMax.text(2),
      oracle?.meanMinutes.text(1) ?? "", oracle.map { Self.times(adaptive, $0) } ?? "",
      oracle == nil ? "" : Self.timesOracleMax.text(2), (adaptive.missedShare * 100).text(1),
      (fewer * 100).text(0), (Self.fewerMissedMin * 100).text(0),
      "\(all.map(\.overBudget).reduce(0, +))", "\(all.map(\.gapsBroken).reduce(0, +))",
    ]
  }

  static func trace(_ path: String) throws -> Trace {
    switch TraceFile.read(path) {
    case .success(let trace): return trace
    case .failure(let problem): throw BenchmarkError("\(path): \(problem)")
    }
  }

  private static func times(_ score: TraceScore, _ oracle: TraceScore) -> String {
    (score.meanMinutes / oracle.meanMinutes).text(2)
  }

  private func score(
    _ trace: Trace, _ policy: TracePolicy, usesReads: Bool,
    oracle: ((Int, Double) -> any ItemForecast)? = nil
  ) -> TraceScore {
    var simulation = TraceSimulation(trace, policy: policy, usesReads: usesReads)
    simulation.oracle = oracle
    var fetches: [SimulatedFetch] = []
    simulation.run { fetches.append($0) }
    return TraceScore(trace, fetches)
  }

  /// Returns the rates in the order of the trace's sources; nil if there is no file with the rates.
  private func truth(beside path: String, of trace: Trace) throws -> [TrueRates]? {
    let truthPath = path.replacingOccurrences(of: ".jsonl.gz", with: ".truth.json.gz")
    guard truthPath != path, FileManager.default.fileExists(atPath: truthPath) else { return nil }
    let truths = try SourceTruth.read(truthPath)
    guard truths.map(\.id) == trace.sources.map(\.id) else {
      throw BenchmarkError("\(truthPath): its sources are not those of the trace")
    }
    return zip(truths, trace.sources).map { truth, source in
      TrueRates(truth, datesItems: source.datesItems, duration: trace.duration)
    }
  }
}
