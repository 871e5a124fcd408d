package import FetchModel
import FetchValues

/// A cost in the resources that all jobs share, such as the actual or estimated cost of a run.
package struct RunCost: Hashable, Sendable {
  package var requests: Double
  package var bytes: Double
  /// The CPU time of the plugin's code.
  package var cpuMilliseconds: Double
  /// The elapsed time of the run.
  package var runMilliseconds: Double

  package init(
    requests: Double = 0, bytes: Double = 0, cpuMilliseconds: Double = 0,
    runMilliseconds: Double = 0
  ) {
    self.requests = requests
    self.bytes = bytes
    self.cpuMilliseconds = cpuMilliseconds
    self.runMilliseconds = runMilliseconds
  }

  package init(_ record: RunRecord) {
    self.init(
      requests: Double(record.requestCount), bytes: Double(record.receivedBytes),
      cpuMilliseconds: Double(record.cpu.wholeMicroseconds) / 1000,
      runMilliseconds: Double(record.duration.wholeMilliseconds))
  }

  /// The estimate for a job that has never run: one request for a page of medium size.
  package static let unknown = RunCost(
    requests: 1, bytes: 50_000, cpuMilliseconds: 20, runMilliseconds: 1000)

  package subscript(_ resource: BudgetResource) -> Double {
    switch resource {
    case .requests: requests
    case .bytes: bytes
    case .cpu: cpuMilliseconds
    case .runTime: runMilliseconds
    }
  }

  /// The cost in the units that decide the order of the waiting jobs: see `Turn`. A run costs 1
  /// unit. Every ten requests, every megabyte, every half second of CPU time and every ten seconds
  /// of elapsed time add 1 unit. Fractions of these amounts count too. At most 10,000 units are
  /// added.
  package var turns: Double {
    let spent = requests / 10 + bytes / 1e6 + cpuMilliseconds / 500 + runMilliseconds / 10_000
    return 1 + min(max(0, spent), 10_000)
  }

  /// Returns the estimate for the next run, moved by a quarter of the way from this estimate to the
  /// actual cost. The estimate includes at least one request.
  package func moved(towards actual: RunCost) -> RunCost {
    func move(_ old: Double, _ new: Double) -> Double { old + (max(0, new) - old) / 4 }
    return RunCost(
      requests: max(1, move(requests, actual.requests)), bytes: move(bytes, actual.bytes),
      cpuMilliseconds: move(cpuMilliseconds, actual.cpuMilliseconds),
      runMilliseconds: move(runMilliseconds, actual.runMilliseconds))
  }
}
