import FetchEngine
import FetchModel
import FetchSchedule
import Foundation

/// The cost and the savings of a source's longest interval if no budget limits the requests. For
/// each interval, the benchmark prints the means over the traces. It also prints the changes with
/// their standard errors, compared with an interval of one day.
struct UnlimitedTracesBenchmark {
  let paths: [String]

  private static let longestHours = [24.0, 12, 6, 3]
  /// The number of sources for which requests are reported.
  private static let sourceCount = 30.0

  /// The results of one policy on one trace.
  private struct Figures {
    var itemMinutes: Double
    var sourceMinutes: Double
    var missedPercent: Double
    /// The number of requests per day for thirty sources.
    var requestsPerDay: Double

    init(_ trace: Trace, _ fetches: [SimulatedFetch]) {
      let score = TraceScore(trace, fetches)
      itemMinutes = score.meanMinutes
      sourceMinutes = score.meanSourceMinutes
      missedPercent = score.missedShare * 100
      let late = fetches.count { $0.time >= TraceScore.from }
      let days = (trace.duration - TraceScore.from) / 86_400
      requestsPerDay = Double(late) / days * sourceCount / Double(trace.sources.count)
    }
  }

  func measure() throws -> String {
    var hourly: [Figures] = []
    var byLongest = [[Figures]](repeating: [], count: Self.longestHours.count)
    for path in paths {
      report("replaying \(path)")
      let trace = try TracesBenchmark.trace(path)
      hourly.append(figures(trace, .fixed, longestHours: 1))
      for (place, hours) in Self.longestHours.enumerated() {
        byLongest[place].append(figures(trace, .adaptive, longestHours: hours))
      }
    }
    var table = Table()
    table.add(
      "without a budget", "item min", "change %", "source min", "change %", "missed %",
      "difference", "requests a day", "difference")
    table.add(Self.row("every hour", hourly, against: byLongest[0]))
    for (hours, figures) in zip(Self.longestHours, byLongest) {
      table.add(Self.row("adaptive, at most \(hours.text(0)) h", figures, against: byLongest[0]))
    }
    return "\(paths.count) traces, requests for \(Self.sourceCount.text(0)) sources\n\(table.text)"
  }

  private func figures(
    _ trace: Trace, _ policy: TracePolicy, longestHours: Double
  ) -> Figures {
    var simulation = TraceSimulation(
      trace, policy: policy, usesReads: true,
      withoutBudget: AdaptiveBounds(intervalMax: longestHours * 3600))
    var fetches: [SimulatedFetch] = []
    simulation.run { fetches.append($0) }
    return Figures(trace, fetches)
  }

  private static func row(_ name: String, _ figures: [Figures], against base: [Figures])
    -> [String]
  {
    func change(_ value: KeyPath<Figures, Double>) -> String {
      let logs = zip(figures, base).map { log($0[keyPath: value] / $1[keyPath: value]) }
      let (mean, error) = spread(logs)
      return "\((exp(mean) * 100 - 100).text(1)) ± \((exp(mean) * error * 100).text(1))"
    }
    func difference(_ value: KeyPath<Figures, Double>, _ decimals: Int) -> String {
      let (mean, error) = spread(zip(figures, base).map { $0[keyPath: value] - $1[keyPath: value] })
      return "\(mean.text(decimals)) ± \(error.text(decimals))"
    }
    return [
      name, TraceMeans.mean(figures.map(\.itemMinutes)).text(1), change(\.itemMinutes),
      TraceMeans.mean(figures.map(\.sourceMinutes)).text(1), change(\.sourceMinutes),
      mean(figures.map(\.missedPercent)).text(2), difference(\.missedPercent, 2),
      mean(figures.map(\.requestsPerDay)).text(1), difference(\.requestsPerDay, 1),
    ]
  }

  /// Returns the mean and its standard error.
  private static func spread(_ numbers: [Double]) -> (mean: Double, error: Double) {
    let mean = mean(numbers)
    let squares = numbers.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
    return (mean, (squares / Double(max(1, numbers.count * (numbers.count - 1)))).squareRoot())
  }

  private static func mean(_ numbers: [Double]) -> Double {
    numbers.reduce(0, +) / Double(max(1, numbers.count))
  }
}
