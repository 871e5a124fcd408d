package import FetchModel
import FetchValues

/// The average cost of a job's last runs, and the percentages of these runs that had news or
/// failed.
package struct JobCost: Sendable {
  /// The number of ended runs that were added up.
  package private(set) var runCount = 0
  package private(set) var newsCount = 0
  package private(set) var failedCount = 0
  private var requestCount = 0
  private var receivedBytes: Int64 = 0
  private var cpu: Duration = .zero
  private var took: Duration = .zero

  /// Adds up the costs of ended runs. Returns nil if there are no runs.
  package init?(_ runs: [RunRecord]) {
    if runs.isEmpty { return nil }
    runCount = runs.count
    for run in runs {
      switch run.outcome {
      case .newData: newsCount += 1
      case .failed: failedCount += 1
      case .noData: break
      }
      requestCount = Self.sum(requestCount, run.requestCount)
      receivedBytes = Self.sum(receivedBytes, Int64(run.receivedBytes))
      cpu += run.cpu
      took += run.duration
    }
  }

  /// Returns the sum of two numbers, or the maximum of the type if the sum is too large. A negative
  /// `right` counts as 0.
  private static func sum<Number: FixedWidthInteger>(_ left: Number, _ right: Number) -> Number {
    let (sum, isTooLarge) = left.addingReportingOverflow(max(0, right))
    return isTooLarge ? .max : sum
  }

  /// The percentage of the runs that had news, rounded down.
  package var newsPercent: Int { newsCount * 100 / max(1, runCount) }

  var html: HTML {
    let count = Int64(runCount)
    let facts: [(String, HTML)] = [
      ("with news", "\(newsPercent) %"),
      ("failed", "\(failedCount * 100 / max(1, runCount)) %"),
      ("requests", "\(Self.ratio(requestCount, runCount))"),
      ("received", "\(ByteSize(bytes: receivedBytes / max(1, count)).decimal)"),
      ("CPU time", "\(ShownTime.seconds(cpu / Int(count)))"),
      ("duration", "\(ShownTime.seconds(took / Int(count)))"),
    ]
    return """
      <dl class="stats">\(each: facts, {
        "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>"
      })</dl>
      """
  }

  private static func ratio(_ sum: Int, _ count: Int) -> String {
    let (sum, count) = (min(sum, .max / 20), max(1, count))
    let tenths = sum / count * 10 + sum % count * 10 / count
    return "\(tenths / 10).\(tenths % 10)"
  }
}
